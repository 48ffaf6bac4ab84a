<?php

declare(strict_types=1);

namespace Swoole\RemoteObject;

/** What the hosted code has thrown, with its message and code, or why a call could not be made. */
class Exception extends \RuntimeException
{
}
