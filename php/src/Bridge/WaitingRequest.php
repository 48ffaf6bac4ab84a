<?php

declare(strict_types=1);

namespace Stampede\Bridge;

/** A request that waits for a process. */
final class WaitingRequest
{
    public ?ForkedPlace $place = null;
    public readonly Wakeup $wakeup;

    /** @param bool $isSmall whether it may come after other requests of a process */
    public function __construct(public readonly bool $isSmall)
    {
        $this->wakeup = new Wakeup();
    }
}
