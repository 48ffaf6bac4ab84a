<?php

/** @generate-class-entries */

namespace Stampede;

/**
 * A moment of a process to which the processes forked from it return: memory, open files, signals, timers, working directory, and the place in
 * the code. The launcher's isolation `process` handles one request after another in a process that is each time what it was after the boot.
 * What processes share, files, and other programs are not put back. Called outside of coroutines.
 */
final class Checkpoint
{
    private function __construct() {}

    /** One sentence when this machine or this build cannot, else null. */
    public static function obstacle(): ?string {}

    /**
     * Keeps this process as it is. Returns false then, and true in a forked process each time that it has gone back; it has its connection then.
     * @throws \Swoole\Error when it cannot, or when this process has more than one thread
     */
    public static function keep(): bool {}

    /**
     * In a forked process: connects it to a unix socket.
     * @return bool false when nobody listens there
     */
    public static function connect(string $path): bool {}

    /**
     * In a forked process, when it has only what it is to have each time: goes back for the first time. Does not return when it can.
     * @throws \Swoole\Error when it cannot
     */
    public static function begin(): void {}

    /**
     * Ends the request of this process (shutdown functions, destructors, files and connections that were opened since), and goes back.
     * Does not return when it can.
     * @return string what cannot be put back, as in "a program that it has started still runs": this process should end
     */
    public static function goBack(): string {}

    /**
     * Without a connection: what receive() gives next, in the place of what it has not given yet; at most 16 KiB. For code that is to run before
     * the memory is kept as it will run afterwards.
     * @throws \ValueError when it is more
     * @throws \Swoole\Error when this process is connected
     */
    public static function rehearse(string $received): void {}

    /** Waits without a limit. @return string|null so many bytes from the connection; null when the other side has closed it */
    public static function receive(int $length): ?string {}

    /** To nobody without a connection. @return bool false when the other side is gone */
    public static function send(string $bytes): bool {}
}

/**
 * From now on the processes that run go on while this one has something to do and no processor is free (the kernel's SCHED_BATCH): it finds more
 * to do at once then, and they keep their memory in the processor's caches.
 * @return bool false when the kernel does not allow it, or another policy was chosen before
 */
function run_in_batches(): bool {}
