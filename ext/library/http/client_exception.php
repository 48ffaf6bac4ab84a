<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http\Client;

/** There is no response. */
class Exception extends \Swoole\Exception {}
