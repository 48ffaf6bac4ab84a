<?php

declare(strict_types=1);

namespace Swoole\Database;

/** A connection of a MysqliPool could not be made, while mysqli is told to report errors by return values. */
class MysqliException extends \Exception
{
}
