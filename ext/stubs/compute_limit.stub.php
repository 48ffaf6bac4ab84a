<?php

/** @generate-function-entries */

namespace Stampede;

/**
 * Calls $late in the calling coroutine when this one still computes after so many seconds, between two steps of its code; what $late throws is thrown
 * there. While the coroutine waits, or is inside of a function of PHP, it is not called. Once; a later call sets another time, 0 seconds none.
 * @throws \Swoole\Error outside of coroutines
 */
function limit_computing(float $seconds, ?\Closure $late = null): void {}
