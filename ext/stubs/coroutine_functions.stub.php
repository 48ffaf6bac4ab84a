<?php

/** @generate-function-entries */

namespace {

    function swoole_coroutine_create(callable $func, mixed ...$params): int|false {}

    function swoole_coroutine_defer(callable $callback): void {}

}

namespace Swoole\Coroutine {

    /**
     * Runs $fn in a coroutine and the loop until every coroutine has ended.
     * @alias stampede_coroutine_run
     */
    function run(callable $fn, mixed ...$args): bool {}

    /** @alias swoole_coroutine_create */
    function go(callable $fn, mixed ...$args): int|false {}

    /** @alias swoole_coroutine_defer */
    function defer(callable $fn): void {}

    /**
     * Runs the tasks side by side; their results under their keys, null for those that took too long.
     * @alias stampede_coroutine_batch
     */
    function batch(array $tasks, float $timeout = -1): array {}

    /**
     * Runs $fn in $n coroutines and waits for all of them.
     * @alias stampede_coroutine_parallel
     */
    function parallel(int $n, callable $fn): void {}

    /**
     * array_map() with a coroutine per element.
     * @alias stampede_coroutine_map
     */
    function map(array $list, callable $fn, float $timeout = -1): array {}

    /**
     * Prints where every coroutine waits.
     * @alias stampede_coroutine_deadlock_check
     */
    function deadlock_check(): void {}

}
