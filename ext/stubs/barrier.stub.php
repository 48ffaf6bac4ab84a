<?php

/** @generate-class-entries */

namespace Swoole\Coroutine;

/** Waits until nobody else holds the barrier any more. */
class Barrier
{
    public function __destruct() {}

    public static function make(): Barrier {}

    public static function wait(Barrier &$barrier, float $timeout = -1): void {}
}
