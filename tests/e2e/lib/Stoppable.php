<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A program that a test has started. */
interface Stoppable
{
    /** Nothing when it has ended. */
    public function end(): void;
}
