<?php

declare(strict_types=1);

namespace Stampede\Profile;

/** One way to be somewhere, and how long that was so, in nanoseconds. */
final class Stack
{
    public int $cpu = 0;
    public int $wall = 0;

    /** @param non-empty-list<int> $frames the outermost first */
    public function __construct(public readonly array $frames) {}
}
