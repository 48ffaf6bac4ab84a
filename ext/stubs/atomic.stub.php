<?php

/** @generate-class-entries */

namespace Swoole;

/** A 32-bit counter in memory that processes share: made before they are forked, used by all of them. */
class Atomic
{
    public function __construct(int $value = 0) {}

    /** The value after the addition; it wraps at 2^32. */
    public function add(int $add_value = 1): int {}

    /** The value after the subtraction; it wraps at 0. */
    public function sub(int $sub_value = 1): int {}

    public function get(): int {}

    public function set(int $value): void {}

    /**
     * Takes a 1: makes it 0 and gives true. Otherwise waits for wakeup(), and of those that it wakes one takes the 1, the
     * others get false at once. False after $timeout seconds, too; -1 waits for ever, 0 only looks. set() and add() alone
     * end no wait. A coroutine waits alone, elsewhere the process does.
     */
    public function wait(float $timeout = 1.0): bool {}

    /** Makes a value of 0 a 1 and ends the wait() of up to $count processes and coroutines; does nothing when it is no 0. */
    public function wakeup(int $count = 1): bool {}

    /** Sets $new_value when the value is $cmp_value: true. */
    public function cmpset(int $cmp_value, int $new_value): bool {}
}
