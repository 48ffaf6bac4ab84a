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
     * In a forked process: connects it to a unix socket, where the other side calls Claim::receive() first.
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
     * @param bool $remembers what remembered() returns afterwards
     * @return string what cannot be put back, as in "a program that it has started still runs": this process should end
     */
    public static function goBack(bool $remembers = false): string {}

    /** What the last goBack() was given; false before. */
    public static function remembered(): bool {}

    /**
     * Of the request before, in this process.
     * @return int microseconds of processor time; -1 when it has waited for anything, as for a database, and before the first request
     */
    public static function microseconds(): int {}

    /**
     * Without a connection: what receive() gives next, in the place of what it has not given yet; at most 16 KiB. For code that is to run before
     * the memory is kept as it will run afterwards.
     * @throws \ValueError when it is more
     * @throws \Swoole\Error when this process is connected
     */
    public static function rehearse(string $received): void {}

    /** How many are registered now, for the request of the coroutine where it has one. */
    public static function shutdownFunctions(): int {}

    /** Whether an object that was made since keep() has a destructor, which goBack() will call. */
    public static function hasNewDestructor(): bool {}

    /**
     * Of a request that was sent to this process before it was ready for one.
     * @param int $number of Claim::offer()
     * @return bool false when the worker has it back
     */
    public static function take(int $number): bool {}

    /**
     * @param bool $waits for the first of them, without a limit
     * @return string|null so many bytes from the connection; null when the other side has closed it, and when nothing has come that was not waited for
     */
    public static function receive(int $length, bool $waits = true): ?string {}

    /** To nobody without a connection. @return bool false when the other side is gone */
    public static function send(string $bytes): bool {}
}
