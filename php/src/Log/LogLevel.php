<?php

declare(strict_types=1);

namespace Stampede\Log;

enum LogLevel: string
{
    case Error = 'error';
    case Warning = 'warning';
    case Notice = 'notice';
    case Info = 'info';
    case Debug = 'debug';

    /** Whether messages of this level are written (--log-level). */
    public function isShown(): bool
    {
        $least = self::tryFrom((string) ini_get('stampede.log_level')) ?? self::Notice;
        return array_search($this, self::cases(), true) <= array_search($least, self::cases(), true);
    }

    /** The setting log_level of a server. What its notices say, the launcher says itself. */
    public static function ofEngine(): int
    {
        return match (self::tryFrom((string) ini_get('stampede.log_level'))) {
            self::Debug => SWOOLE_LOG_DEBUG,
            self::Info => SWOOLE_LOG_INFO,
            self::Error => SWOOLE_LOG_ERROR,
            default => SWOOLE_LOG_WARNING,
        };
    }
}
