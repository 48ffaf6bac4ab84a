<?php

declare(strict_types=1);

namespace Stampede\Bridge;

/** A request that waits for a process. */
final class WaitingRequest
{
    public ?ForkedPlace $place = null;
    public readonly Wakeup $wakeup;

    /** @param bool $canBeSecond at a process that has another request */
    public function __construct(public readonly bool $canBeSecond)
    {
        $this->wakeup = new Wakeup();
    }
}
