<?php

/** @generate-class-entries */

namespace Stampede;

/**
 * The worker's end of memory that it shares with a process of the isolation `process`: says which of them has a request that the worker has sent
 * to the process while it was busy with another one. The process takes it by Checkpoint::take().
 * @not-serializable
 */
final class Claim
{
    private function __construct() {}

    /**
     * Of the process at the other side of a connection that Checkpoint::connect() has made, before anything else is read from it. Does not wait:
     * the connection must be readable.
     * @return Claim|null null when the process could not make such memory, or has ended
     */
    public static function receive(int $fd): ?Claim {}

    /** @return int a number for the request that is sent next; 0 when 8 requests were neither taken nor withdrawn */
    public function offer(): int {}

    /** @return bool true: the process never begins with that request; false: it has begun with it, or the number was withdrawn before */
    public function withdraw(int $number): bool {}
}

/**
 * From now on the processes that run go on while this one has something to do and no processor is free (the kernel's SCHED_BATCH): it finds more
 * to do at once then, and they keep their memory in the processor's caches.
 * @return bool false when the kernel does not allow it, or another policy was chosen before
 */
function run_in_batches(): bool {}
