<?php

declare(strict_types=1);

namespace Stampede\Config;

/** How requests and messages are written to the log. */
enum LogFormat: string
{
    case Text = 'text';
    case Json = 'json';
    case Off = 'off';

    /** Of a process with this standard error. */
    public static function of(Configuration $options): self
    {
        $given = $options->text('log-format');
        if ($given !== 'auto') {
            return self::from($given);
        }
        $isTerminal = stream_isatty(STDERR) && !$options->is('daemon'); // which leaves the terminal later
        return $options->text('env') === 'prod' && !$isTerminal ? self::Json : self::Text;
    }
}
