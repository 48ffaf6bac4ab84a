<?php

/** @generate-class-entries */

namespace Swoole;

/**
 * Blocking calls of PHP, its extensions and their libraries wait in the coroutine that makes them. What is on is the
 * process's; outside coroutines a call blocks as ever.
 */
class Runtime
{
    /** Turns the given kinds on and all others off. true stands for all, false for none, as in older code. */
    public static function enableCoroutine(int $flags = SWOOLE_HOOK_ALL): bool {}

    public static function getHookFlags(): int {}

    public static function setHookFlags(int $flags): bool {}
}
