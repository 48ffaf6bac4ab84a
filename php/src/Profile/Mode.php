<?php

declare(strict_types=1);

namespace Stampede\Profile;

/** What a profile is of. */
enum Mode: string
{
    case Cpu = 'cpu';
    case Wall = 'wall';

    /** As the workers are told. */
    public function number(): int
    {
        return $this === self::Cpu ? 1 : 2;
    }
}
