<?php

/** @generate-class-entries */

namespace Swoole\Atomic;

/** A signed 64-bit counter in memory that processes share: made before they are forked, used by all of them. */
class Long
{
    public function __construct(int $value = 0) {}

    /** The value after the addition. */
    public function add(int $add_value = 1): int {}

    /** The value after the subtraction. */
    public function sub(int $sub_value = 1): int {}

    public function get(): int {}

    public function set(int $value): void {}

    /** Sets $new_value when the value is $cmp_value: true. */
    public function cmpset(int $cmp_value, int $new_value): bool {}
}
