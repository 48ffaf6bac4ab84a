<?php

declare(strict_types=1);

namespace Stampede\Loop;

use Closure;
use Stampede\LoopControl;
use Swoole\Timer;

/** A timer for housekeeping: neither a loop nor a worker that is replaced stays for it. */
final class BackgroundTimer
{
    /** @return int|null the number of the timer, null when there can be none */
    public static function after(int $milliseconds, Closure $do): ?int
    {
        $timer = Timer::after($milliseconds, static function () use ($do): void {
            LoopControl::ignore(0, -1);
            $do();
        });
        if ($timer === false) {
            return null;
        }
        LoopControl::ignore(0, 1);
        return $timer;
    }
}
