<?php

declare(strict_types=1);

namespace Stampede\Loop;

use React\EventLoop\TimerInterface;

/**
 * The timers that fire in one millisecond.
 *
 * @internal
 */
final class TimerMoment
{
    /** @var array<int, TimerInterface> by the object's number */
    public array $timers = [];

    public function __construct(public readonly int $native)
    {
    }
}
