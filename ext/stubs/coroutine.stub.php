<?php

/** @generate-class-entries */

namespace Swoole;

/** Starts, suspends, resumes, cancels and inspects coroutines. All of it acts on the current process. */
class Coroutine
{
    /** Runs $func in a new coroutine at once, until it first waits. Its number, or false when the limit is reached. */
    public static function create(callable $func, mixed ...$param): int|false {}

    /**
     * $callback runs when the current coroutine ends, last one first; also after an exception that nobody caught. It gets what the
     * coroutine's function has returned, or null.
     */
    public static function defer(callable $callback): void {}

    public static function set(array $options): void {}

    public static function getOptions(): ?array {}

    public static function exists(int $cid): bool {}

    /** Waits until another coroutine calls resume(). False when the wait was cancelled. */
    public static function yield(): bool {}

    /** Ends the wait of a coroutine; with $throw_exception a CanceledException is thrown there. */
    public static function cancel(int $cid, bool $throw_exception = false): bool {}

    /** Waits until all of the coroutines have ended. */
    public static function join(array $cid_array, float $timeout = -1): bool {}

    /** Whether the last wait of the current coroutine was cancelled. */
    public static function isCanceled(): bool {}

    /** After so many seconds a TimeoutException is thrown where the coroutine waits. */
    public static function setTimeLimit(float $timeout): bool {}

    /** @alias Swoole\Coroutine::yield */
    public static function suspend(): bool {}

    /** Runs a coroutine that waits in yield() at once, until it waits again. */
    public static function resume(int $cid): bool {}

    public static function stats(): array {}

    /** Number of the current coroutine, -1 outside. */
    public static function getCid(): int {}

    /** @alias Swoole\Coroutine::getCid */
    public static function getuid(): int {}

    /** Number of the coroutine that made it, -1 when it was made outside; false when there is no such coroutine. */
    public static function getPcid(int $cid = 0): int|false {}

    /** The coroutine's own store, dropped when it ends. */
    public static function getContext(int $cid = 0): ?Coroutine\Context {}

    public static function getBackTrace(int $cid = 0, int $options = DEBUG_BACKTRACE_PROVIDE_OBJECT, int $limit = 0): array|false {}

    public static function printBackTrace(int $cid = 0, int $options = 0, int $limit = 0): void {}

    /** Milliseconds since the coroutine was made, -1 when there is none. */
    public static function getElapsed(int $cid = 0): int {}

    /** Bytes of the PHP stack in use, false when there is no such coroutine. */
    public static function getStackUsage(int $cid = 0): int|false {}

    public static function list(): Coroutine\Iterator {}

    /** @alias Swoole\Coroutine::list */
    public static function listCoroutines(): Coroutine\Iterator {}

    public static function enableScheduler(): bool {}

    public static function disableScheduler(): bool {}

    /** Microseconds since the current coroutine was made. */
    public static function getExecuteTime(): int {}

    /** The coroutine waits so many seconds; false when the wait was cancelled. */
    public static function sleep(float $seconds): bool {}

    /** @implementation-alias Swoole\Coroutine\System::gethostbyname */
    public static function gethostbyname(string $domain_name, int $type = AF_INET, float $timeout = -1): string|false {}

    /** @implementation-alias Swoole\Coroutine\System::dnsLookup */
    public static function dnsLookup(string $domain_name, float $timeout = 60, int $type = AF_INET): string|false {}

    /** @implementation-alias Swoole\Coroutine\System::exec */
    public static function exec(string $command, bool $get_error_stream = false): array|false {}

    /** @implementation-alias Swoole\Coroutine\System::getaddrinfo */
    public static function getaddrinfo(
        string $domain,
        int $family = AF_INET,
        int $socktype = SOCK_STREAM,
        int $protocol = STREAM_IPPROTO_TCP,
        ?string $service = null,
        float $timeout = -1,
    ): array|bool {}

    /** @implementation-alias Swoole\Coroutine\System::statvfs */
    public static function statvfs(string $path): array|false {}

    /** @implementation-alias Swoole\Coroutine\System::readFile */
    public static function readFile(string $filename, int $flag = 0): string|false {}

    /** @implementation-alias Swoole\Coroutine\System::writeFile */
    public static function writeFile(string $filename, string $fileContent, int $flags = 0): int|false {}

    /** @implementation-alias Swoole\Coroutine\System::wait */
    public static function wait(float $timeout = -1): array|false {}

    /** @implementation-alias Swoole\Coroutine\System::waitPid */
    public static function waitPid(int $pid, float $timeout = -1): array|false {}

    /** @implementation-alias Swoole\Coroutine\System::waitSignal */
    public static function waitSignal(int|array $signals, float $timeout = -1): int|false {}

    /** @implementation-alias Swoole\Coroutine\System::waitEvent */
    public static function waitEvent(mixed $socket, int $events = SWOOLE_EVENT_READ, float $timeout = -1): int|false {}
}
