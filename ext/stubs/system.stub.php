<?php

/** @generate-class-entries */

namespace Swoole\Coroutine;

/**
 * What a program asks of the system, waiting in the calling coroutine only. Times are seconds, negative means without
 * limit. A failure gives false; swoole_last_error() then holds an errno value or one of SWOOLE_ERROR_*, ETIMEDOUT when
 * the time was over and SWOOLE_ERROR_CO_CANCELED when the wait was cancelled. All of it is in Swoole\Coroutine too.
 */
class System
{
    /**
     * The address of a name, from the hosts file, the cache or a name server. $type is AF_INET or AF_INET6; without
     * $timeout the option socket_dns_timeout (60) holds.
     */
    public static function gethostbyname(string $domain_name, int $type = AF_INET, float $timeout = -1): string|false {}

    /** The same with another usual time; with the option dns_lookup_random one of several addresses is drawn. */
    public static function dnsLookup(string $domain_name, float $timeout = 60, int $type = AF_INET): string|false {}

    /**
     * Runs a command by /bin/sh and waits for its end: code and signal say how it ended, output is what it wrote (with
     * $get_error_stream also to its standard error). A cancelled wait leaves the command running, unheard; output beyond
     * half of memory_limit ends with EFBIG.
     */
    public static function exec(string $command, bool $get_error_stream = false): array|false {}

    /**
     * Waits at least 0.001 seconds. False when the wait was cancelled.
     * @implementation-alias Swoole\Coroutine::sleep
     */
    public static function sleep(float $seconds): bool {}

    /** All addresses of a name, as text. $service is a port or a name of /etc/services; it must exist. */
    public static function getaddrinfo(
        string $domain,
        int $family = AF_INET,
        int $socktype = SOCK_STREAM,
        int $protocol = STREAM_IPPROTO_TCP,
        ?string $service = null,
        float $timeout = -1,
    ): array|bool {}

    /** Figures of the file system that holds $path. */
    public static function statvfs(string $path): array|false {}

    /** The whole file. $flag: LOCK_EX waits for a shared lock first. */
    public static function readFile(string $filename, int $flag = 0): string|false {}

    /** The number of bytes written. $flags: FILE_APPEND keeps what is there, LOCK_EX waits for the lock. */
    public static function writeFile(string $filename, string $fileContent, int $flags = 0): int|false {}

    /**
     * Waits for the end of a child that this process forked or started by proc_open(), which is told of the end, too; those of exec()
     * and popen() are left to their owners. False at once, with ECHILD, when there is none.
     */
    public static function wait(float $timeout = -1): array|false {}

    /** Waits for the end of one child, whichever code made it; -1 means any, as in wait(). */
    public static function waitPid(int $pid, float $timeout = -1): array|false {}

    /** Waits for one of the signals and returns its number. Handlers that were set before still run. */
    public static function waitSignal(int|array $signals, float $timeout = -1): int|false {}

    /** Waits for a descriptor, stream or socket to be readable or writable and returns which of SWOOLE_EVENT_*. */
    public static function waitEvent(mixed $socket, int $events = SWOOLE_EVENT_READ, float $timeout = -1): int|false {}
}
