<?php

declare(strict_types=1);

namespace Swoole\Coroutine\MySQL;

/** A MySQL client cannot be used at all. */
class Exception extends \Swoole\Exception
{
}
