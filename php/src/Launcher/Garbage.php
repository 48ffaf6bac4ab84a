<?php

declare(strict_types=1);

namespace Stampede\Launcher;

/**
 * Frees the objects that requests left in cycles. PHP itself waits until there may be 10,000 of them, whatever they hold: a process that ends
 * its request frees all of them then, but a worker would keep megabytes for hundreds of requests. Here what the worker's memory grew by decides.
 */
final class Garbage
{
    private const LEAST = 1 << 20;
    private const MOST = 64 << 20;
    private const SHARE = 8; // of what is in use: a collection looks at that, too, so that a large application is not looked at as often

    private int $base; // bytes in use after the last collection, or fewer
    private int $step; // bytes of growth until the next one

    public function __construct()
    {
        $this->base = memory_get_usage();
        $this->step = self::LEAST;
    }

    /** After a request. */
    public function collect(): void
    {
        $used = memory_get_usage();
        $this->base = min($this->base, $used);
        if ($used - $this->base < $this->step || !gc_enabled()) {
            return;
        }
        $grown = $used - $this->base;
        gc_collect_cycles();
        $this->base = memory_get_usage();
        // What grew may be in use: other requests, or a cache. Looking again and again would cost time and free nothing.
        $this->step = 2 * ($used - $this->base) < $grown ? min(2 * $this->step, self::MOST) : min(max(self::LEAST, intdiv($this->base, self::SHARE)), self::MOST);
    }
}
