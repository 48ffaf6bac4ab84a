<?php

declare(strict_types=1);

namespace Stampede\Launcher;

/** A way to learn of changes. */
interface Changes
{
    /** From now on; what has changed before is not told. */
    public function begin(): void;

    public function end(): void;
}
