<?php

declare(strict_types=1);

namespace Stampede\Pool;

use Swoole\ConnectionPool;
use WeakReference;

/**
 * With whom a connection is. The pool ties one to each connection: when that one goes away without having been given
 * back, the lease goes with it and tells the pool that its place is free.
 */
final class Lease
{
    /** The coroutine that has the connection; null while none has it, and then nobody is told of the end. */
    public ?int $cid = null;

    /** When it came into the pool last, in nanoseconds of hrtime(). */
    public int $idleSince = 0;

    /** @var WeakReference<ConnectionPool> */
    private readonly WeakReference $pool;

    public function __construct(ConnectionPool $pool)
    {
        $this->pool = WeakReference::create($pool);
    }

    public function __destruct()
    {
        if ($this->cid !== null) {
            $this->pool->get()?->vacate($this->cid);
        }
    }
}
