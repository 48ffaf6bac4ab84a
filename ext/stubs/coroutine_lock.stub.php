<?php

/** @generate-class-entries */

namespace Swoole\Coroutine;

/** A lock for coroutines, in one process or, when $shared, in all that are forked after it was made. Waiting suspends the coroutine. */
class Lock
{
    /**
     * Why the last call was false: EBUSY, ECANCELED, EPERM (another holds it), SWOOLE_ERROR_CO_MUTEX_DOUBLE_UNLOCK or, outside coroutines,
     * SWOOLE_ERROR_CO_OUT_OF_COROUTINE.
     * @var int
     */
    public $errCode = 0;

    public function __construct(bool $shared = false) {}

    /**
     * $operation: LOCK_EX or LOCK_SH, which are the same here, with LOCK_NB added to get false instead of waiting. A coroutine that holds it already
     * gets true, and unlocks once.
     */
    public function lock(int $operation = LOCK_EX): bool {}

    public function unlock(): bool {}
}
