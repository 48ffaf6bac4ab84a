<?php

/** @generate-function-entries */

namespace Stampede;

/**
 * Calls $late in the calling coroutine, or in one that it has made and that has no limit of its own, when it still computes after so many seconds, between
 * two steps of its code; what $late throws is thrown there. While the coroutine waits, or is inside of a function of PHP, it is not called. Once; a later call sets another time, 0 seconds none.
 * @throws \Swoole\Error outside of coroutines
 */
function limit_computing(float $seconds, ?\Closure $late = null): void {}

/**
 * For how many seconds the calling coroutine has computed without giving way to another one, as far as is known: counted in steps of 50 milliseconds, and only
 * while a limit of limit_computing() is over.
 */
function computing_time(): float {}

/**
 * The time of the coroutine is over: the wait that it is in ends by a `Swoole\Coroutine\CanceledException`, and it runs until it waits again or ends. A child
 * that it has waited for is killed, with all that this one has started.
 * @return bool false when it does not wait, or is no more
 */
function end_wait(int $cid): bool {}

/** The time limit of the coroutine is no more. What it has started by proc_open() and still runs is killed, with all that this has started, when the time was over. */
function end_limit(int $cid, bool $isOver): void {}

/** Of a request that has waited and of which nothing has run yet: its client has closed the connection, or its side of it, so nobody may want the response. */
function has_client_left(\Swoole\Http\Response $response): bool {}

/** In a worker whose places (`worker_max_concurrency`) are held for good: requests that wait for one, and all that would, get 503 with `Retry-After`. */
function refuse_waiting_requests(): void {}
