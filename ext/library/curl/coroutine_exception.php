<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Curl;

/** The same for handles of coroutines. */
class Exception extends \Swoole\Exception {}
