<?php

/** @generate-class-entries */

namespace Swoole;

/** One-shot and repeating timers, in milliseconds. Each call of a callback runs in a coroutine. */
class Timer
{
    /**
     * A call is due $ms after the one before was due, however late that came; times that have passed meanwhile are left out.
     * @implementation-alias swoole_timer_tick
     */
    public static function tick(int $ms, callable $callback, mixed ...$params): int|false {}

    /** @implementation-alias swoole_timer_after */
    public static function after(int $ms, callable $callback, mixed ...$params): int|false {}

    /** @implementation-alias swoole_timer_exists */
    public static function exists(int $timer_id): bool {}

    /** @implementation-alias swoole_timer_info */
    public static function info(int $timer_id): ?array {}

    /** @implementation-alias swoole_timer_stats */
    public static function stats(): array {}

    /** @implementation-alias swoole_timer_list */
    public static function list(): Timer\Iterator {}

    /** @implementation-alias swoole_timer_clear */
    public static function clear(int $timer_id): bool {}

    /** @implementation-alias swoole_timer_clear_all */
    public static function clearAll(): bool {}
}
