<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use Stampede\Loop\BackgroundTimer;

/**
 * Booted applications of a worker that have no request at the moment. As many requests as there were at once need as many of them; those that
 * only a peak has needed are let go after it, with their memory and their connections to databases.
 *
 * @template T
 */
final class ApplicationPool
{
    private const MOST = 64;

    private int $leastIdle = 0; // since the last trim()
    private ?int $timer = null;

    /**
     * @param Closure(T): mixed $letGo
     * @param list<T> $idle
     * @param int $after milliseconds without a request that would have needed it
     */
    public function __construct(private readonly Closure $letGo, private array $idle, private readonly int $after = 60_000) {}

    /** @return T|null null when all have requests */
    public function take(): mixed
    {
        $taken = array_pop($this->idle); // the last one: its memory is in the processor's caches
        $this->leastIdle = min($this->leastIdle, count($this->idle));
        return $taken;
    }

    /** @param T $application */
    public function give(mixed $application): void
    {
        if (count($this->idle) >= self::MOST) {
            ($this->letGo)($application);
            return;
        }
        $this->idle[] = $application;
        if (count($this->idle) > 1) {
            $this->timer ??= BackgroundTimer::after($this->after, $this->trim(...));
        }
    }

    /** @return list<T> */
    public function all(): array
    {
        return $this->idle;
    }

    /** All but one, as a reserve, of those that no request has needed since the last time. */
    private function trim(): void
    {
        $this->timer = null;
        $spare = array_splice($this->idle, 0, max(0, min($this->leastIdle, count($this->idle)) - 1));
        $this->leastIdle = count($this->idle);
        if ($this->leastIdle > 1) {
            $this->timer = BackgroundTimer::after($this->after, $this->trim(...));
        }
        if ($spare !== []) {
            array_map($this->letGo, $spare);
            $spare = [];
            gc_enabled() && gc_collect_cycles(); // containers and their services know each other
        }
    }
}
