<?php

declare(strict_types=1);

namespace Stampede\Middleware;

/**
 * Frees the objects that requests left in cycles. PHP itself waits until there may be 10,000 of them, whatever they hold: a process that ends
 * its request frees all of them then, but a worker would keep megabytes for hundreds of requests. Here what the worker's memory grew by decides.
 */
final class GarbagePolicy
{
    private const LEAST = 1 << 20;
    private const MOST = 64 << 20;
    private const SHARE = 8; // of what is in use: a collection looks at that, too, so that a large application is not looked at as often

    private int $base; // bytes in use after the last collection, or fewer
    private int $step = self::LEAST; // bytes of growth until the next one
    private int $limit; // both together

    public function __construct()
    {
        $this->setBase(memory_get_usage());
    }

    /** After a request: every request pays for it. */
    public function collect(): void
    {
        $used = memory_get_usage();
        if ($used >= $this->limit) {
            $this->collectAt($used);
        } elseif ($used < $this->base) {
            $this->setBase($used);
        }
    }

    private function collectAt(int $used): void
    {
        if (!gc_enabled()) {
            return;
        }
        gc_collect_cycles();
        $left = memory_get_usage();
        // What grew may be in use: other requests, or a cache. Looking again and again would cost time and free nothing.
        $wasFutile = 2 * ($used - $left) < $used - $this->base;
        $this->step = min($wasFutile ? 2 * $this->step : max(self::LEAST, intdiv($left, self::SHARE)), self::MOST);
        $this->setBase($left);
    }

    private function setBase(int $bytes): void
    {
        $this->base = $bytes;
        $this->limit = $bytes + $this->step;
    }
}
