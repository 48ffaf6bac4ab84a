<?php

/** @generate-class-entries */

namespace Stampede;

/** What drivers of other event loops need of this process's loop beside Swoole\Event and Swoole\Timer. */
final class LoopControl
{
    /**
     * So many more (negative: fewer) watched descriptors and timers that must not keep the loop going by themselves.
     * Code that announces some takes them back before they end.
     */
    public static function ignore(int $watches, int $timers): void {}

    /** So many more (negative: fewer) reasons for the loop to go on. */
    public static function hold(int $more): void {}

    /** Whether something can still happen: a watch or timer that counts, a call that is due. */
    public static function hasWork(): bool {}

    /**
     * Starts $callback with the number in a coroutine whenever the signal arrives. Handlers that were set before still
     * run. A number for the other methods, or false when the signal cannot be caught.
     */
    public static function onSignal(int $signal, \Closure $callback): int|false {}

    public static function offSignal(int $id): bool {}

    /** Whether the loop goes on as long as this one listens; it does without this call. */
    public static function keepForSignal(int $id, bool $keep): bool {}
}
