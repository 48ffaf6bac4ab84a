<?php

declare(strict_types=1);

namespace Stampede\Log;

enum LogLevel: string
{
    case Error = 'error';
    case Warning = 'warning';
    case Notice = 'notice';
    case Info = 'info';
}
