<?php

declare(strict_types=1);

namespace Stampede\Doctor;

/** Looks at one part of the machine. */
interface Check
{
    /** A word for what it looks at. */
    public function subject(): string;

    /** @return list<Finding> */
    public function findings(): array;
}
