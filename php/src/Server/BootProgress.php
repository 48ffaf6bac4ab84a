<?php

declare(strict_types=1);

namespace Stampede\Server;

use Closure;
use Stampede\Log\Logger;
use Swoole\Timer;

/** Says every few seconds that the application still boots; nothing when that is quick. In the first process, which waits meanwhile. */
final class BootProgress
{
    private const PERIOD = 3000; // milliseconds

    /** @param Closure(): bool $isOver whether the application serves, or never will */
    public static function show(string $entry, float $limit, Closure $isOver, Logger $logger): void
    {
        $began = hrtime(true);
        Timer::tick(self::PERIOD, static function (int $timer) use ($entry, $limit, $isOver, $logger, $began): void {
            if ($isOver()) {
                Timer::clear($timer);
                return;
            }
            $logger->notice(sprintf('The application is booting for %.0f s: %s has not returned yet (--boot-timeout is %s s).', (hrtime(true) - $began) / 1e9, $entry, $limit));
        });
    }
}
