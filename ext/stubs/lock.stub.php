<?php

/** @generate-class-entries */

namespace Swoole;

/**
 * A lock between processes: made before they are forked, used by all of them. A process that ends gives it up. A coroutine
 * that waits for it waits alone; elsewhere the process does.
 */
class Lock
{
    /** @var int */
    public const MUTEX = 3;

    /** @var int */
    public const RWLOCK = 1;

    /** @var int */
    public const SPINLOCK = 5;

    /** Why the last call failed: an errno value (EBUSY, ETIMEDOUT, EPERM, ECANCELED), or 0. */
    public int $errCode = 0;

    public function __construct(int $type = SWOOLE_MUTEX) {}

    /**
     * LOCK_EX alone, LOCK_SH together with others (of an RWLOCK; elsewhere as LOCK_EX), either with LOCK_NB: at once or not
     * at all. Waits at most $timeout seconds, -1 for ever. False with errCode when it was not had.
     */
    public function lock(int $operation = LOCK_EX, float $timeout = -1): bool {}

    /** False when this process does not hold it. */
    public function unlock(): bool {}
}
