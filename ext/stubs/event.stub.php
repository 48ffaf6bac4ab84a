<?php

/** @generate-class-entries */

namespace Swoole;

/** Direct access to the event loop: watched descriptors, deferred calls, running and leaving it. */
class Event
{
    /**
     * Watches a stream, socket or descriptor number. The descriptor, or false.
     * @implementation-alias swoole_event_add
     */
    public static function add(mixed $fd, ?callable $read_callback = null, ?callable $write_callback = null, int $events = SWOOLE_EVENT_READ): int|false {}

    /** @implementation-alias swoole_event_del */
    public static function del(mixed $fd): bool {}

    /**
     * Changes callbacks and interest of a watched descriptor; null leaves a callback as it is.
     * @implementation-alias swoole_event_set
     */
    public static function set(mixed $fd, ?callable $read_callback = null, ?callable $write_callback = null, int $events = 0): bool {}

    /** @implementation-alias swoole_event_isset */
    public static function isset(mixed $fd, int $events = SWOOLE_EVENT_READ | SWOOLE_EVENT_WRITE): bool {}

    /**
     * One iteration of the loop.
     * @implementation-alias swoole_event_dispatch
     */
    public static function dispatch(): bool {}

    /**
     * $callback runs at the start of the next iteration.
     * @implementation-alias swoole_event_defer
     */
    public static function defer(callable $callback): bool {}

    /**
     * $callback runs in every iteration, after (or $before) the events; null ends that.
     * @implementation-alias swoole_event_cycle
     */
    public static function cycle(?callable $callback, bool $before = false): bool {}

    /**
     * Writes in the background, in order, without blocking.
     * @implementation-alias swoole_event_write
     */
    public static function write(mixed $fd, string $data): bool {}

    /**
     * Runs the loop until nothing is left to wait for.
     * @implementation-alias swoole_event_wait
     */
    public static function wait(): void {}

    /**
     * What runs the loop when a script ends while something is still going on.
     * @implementation-alias swoole_event_rshutdown
     */
    public static function rshutdown(): void {}

    /**
     * Ends the loop; timers and watches are gone then. In the processes of a server it only takes these away: the loop is not
     * the script's, requests are under way on it.
     * @implementation-alias swoole_event_exit
     */
    public static function exit(): void {}
}
