<?php

declare(strict_types=1);

namespace Stampede\Log;

use function Stampede\write_log;

/**
 * Where the messages of this process go: its standard error, or in the format JSON past what has taken the place of that, where the standard error is for what
 * others print.
 */
final class LogOutput
{
    public static function isJson(): bool
    {
        return ini_get('stampede.log_messages') === 'json';
    }

    public function write(string $lines): void
    {
        self::isJson() ? write_log($lines) : fwrite(STDERR, $lines);
    }
}
