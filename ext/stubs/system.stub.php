<?php

/** @generate-class-entries */

namespace Swoole\Coroutine;

/**
 * What a program asks of the system, waiting in the calling coroutine only. Times are seconds, negative means without
 * limit. A failure gives false; swoole_last_error() then holds an errno value or one of SWOOLE_ERROR_*, with
 * SWOOLE_ERROR_CO_CANCELED when the wait was cancelled. All of it is in Swoole\Coroutine too.
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
}
