<?php

declare(strict_types=1);

namespace Stampede\Process;

use Closure;
use Stampede\Loop\BackgroundTimer;

/** Processes that wait for a request. After a peak those that were not needed for a while are let go, but for a few. */
final class IdleChildren
{
    private const KEPT = 3;
    private const IDLE_TIME = 10_000; // milliseconds

    /** @var list<ChildConnection> the last one first: its memory is in the processor's caches */
    private array $children = [];
    private int $least = 0; // at once, since the last trim()
    private ?int $timer = null;

    /** @param Closure(ChildConnection): void $letGo */
    public function __construct(private readonly Closure $letGo) {}

    public function count(): int
    {
        return count($this->children);
    }

    public function add(ChildConnection $child): void
    {
        $child->state = ChildState::Idle;
        $this->children[] = $child;
        if (count($this->children) > self::KEPT) {
            $this->timer ??= BackgroundTimer::after(self::IDLE_TIME, $this->trim(...));
        }
    }

    /** Null when there is none. */
    public function take(): ?ChildConnection
    {
        $child = array_pop($this->children);
        if ($child !== null) {
            $child->state = ChildState::Busy;
            $child->since = microtime(true);
            $this->least = min($this->least, count($this->children));
        }
        return $child;
    }

    public function remove(ChildConnection $child): void
    {
        $this->children = array_values(array_filter($this->children, static fn (ChildConnection $each): bool => $each !== $child));
    }

    public function letAllGo(): void
    {
        array_map($this->letGo, array_splice($this->children, 0));
    }

    private function trim(): void
    {
        $this->timer = null;
        array_map($this->letGo, array_splice($this->children, 0, max(0, min($this->least, count($this->children)) - self::KEPT)));
        $this->least = count($this->children);
        if ($this->least > self::KEPT) {
            $this->timer = BackgroundTimer::after(self::IDLE_TIME, $this->trim(...));
        }
    }
}
