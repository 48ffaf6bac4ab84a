<?php

/** @generate-function-entries */

namespace {

    /** @alias swoole_coroutine_create */
    function go(callable $func, mixed ...$params): int|false {}

    /** @alias swoole_coroutine_defer */
    function defer(callable $callback): void {}

}

namespace Co {

    /** @alias stampede_coroutine_run */
    function run(callable $fn, mixed ...$args): bool {}

    /** @alias swoole_coroutine_create */
    function go(callable $fn, mixed ...$args): int|false {}

    /** @alias swoole_coroutine_defer */
    function defer(callable $fn): void {}

}
