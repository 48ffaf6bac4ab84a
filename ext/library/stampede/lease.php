<?php

declare(strict_types=1);

namespace Stampede\Pool;

use Swoole\ConnectionPool;
use Swoole\Coroutine;
use WeakReference;

/**
 * That a connection is with a coroutine. The pool ties it to the connection: when that one goes away without having
 * been given back, the lease goes with it and tells the pool that its place is free.
 */
final class Lease
{
    public readonly int $cid;

    /** @var WeakReference<ConnectionPool>|null null once it is over */
    private ?WeakReference $pool;

    public function __construct(ConnectionPool $pool)
    {
        $this->pool = WeakReference::create($pool);
        $this->cid = Coroutine::getCid();
    }

    public function __destruct()
    {
        $pool = $this->pool?->get();
        $this->pool = null;
        $pool?->vacate($this->cid);
    }

    public function end(): void
    {
        $this->pool = null;
    }

    public function isOver(): bool
    {
        return $this->pool === null;
    }
}
