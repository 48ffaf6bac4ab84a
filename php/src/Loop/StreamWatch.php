<?php

declare(strict_types=1);

namespace Stampede\Loop;

/** @internal */
final class StreamWatch
{
    /** @var (\Closure(resource): void)|null */
    public ?\Closure $read = null;
    /** @var (\Closure(resource): void)|null */
    public ?\Closure $write = null;
    public int $events = 0;
    public bool $watched = false;
    public bool $alwaysReady = false;

    /** @param resource $stream */
    public function __construct(public readonly mixed $stream)
    {
    }
}
