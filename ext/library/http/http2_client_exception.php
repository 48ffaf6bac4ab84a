<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http2\Client;

/** There is no response. */
class Exception extends \Swoole\Exception {}
