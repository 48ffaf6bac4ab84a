<?php

declare(strict_types=1);

namespace Swoole\Coroutine\FastCGI\Client;

/** The application could not be reached or broke off. */
class Exception extends \Swoole\Exception {}
