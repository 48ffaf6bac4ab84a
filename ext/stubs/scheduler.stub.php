<?php

/** @generate-class-entries */

namespace Swoole\Coroutine;

/** Collects coroutines and runs them and the loop until all have ended. */
final class Scheduler
{
    public function add(callable $func, mixed ...$param): void {}

    /** $func in $n coroutines. */
    public function parallel(int $n, callable $func, mixed ...$param): void {}

    public function set(array $settings): void {}

    public function getOptions(): ?array {}

    public function start(): bool {}
}
