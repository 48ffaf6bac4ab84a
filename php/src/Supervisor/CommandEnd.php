<?php

declare(strict_types=1);

namespace Stampede\Supervisor;

/**
 * Why a run of a background command is being ended. A stronger reason takes the place of a weaker one, and a new run begins with None:
 *
 *     None ---its time is over---> Overdue ---reload---> Restart ---the server stops---> Stop (no further run)
 */
enum CommandEnd: int
{
    case None = 0;
    case Overdue = 1;
    case Restart = 2;
    case Stop = 3;

    public function orStronger(self $other): self
    {
        return $other->value > $this->value ? $other : $this;
    }

    /** Whether somebody has asked for the end, so that it is no failure of the command. */
    public function isAskedFor(): bool
    {
        return $this === self::Restart || $this === self::Stop;
    }
}
