<?php

/** @generate-function-entries */

namespace Stampede;

/** What the running coroutine was given by set_inherited(), or else what its creator had when it created it. Outside of coroutines: what was given there. */
function inherited(): ?object {}

/** The running coroutine, and those that it creates from now on, have this object; coroutines that are there already keep theirs. For traces: an application has `Swoole\Coroutine::getContext()`. */
function set_inherited(?object $value): void {}

/** From now on it is known what this request waits for and computes: in the running coroutine and those that it creates. With $isShown the response has a field `Server-Timing`. */
function record_request(\Swoole\Http\Response $response, bool $isShown = false): void {}

/**
 * What is known of the request of the running coroutine until now, in seconds; $ends: nothing more is recorded in this coroutine.
 * @return array{route: string, duration: float, queue: float, cpu: float, others_cpu: float, waits: array<string, array{count: int, seconds: float}>}|null null: nothing is recorded
 */
function request_record(bool $ends = false): ?array {}

/**
 * Calls $begin before and $end after each call that an observer of databases, Redis and HTTP is interested in: methods of PDO, mysqli and Redis, functions of mysqli, pgsql
 * and curl, and functions that open `http://` addresses. Neither may throw; what they call themselves is not observed.
 *
 * $begin gets the name as it is written in PHP (`PDO::query`), the object or null, and the arguments. It returns null when the call is of no interest, else a list: what $end
 * gets first, arguments to call with in place of the given ones (or null), and header fields that a transfer of curl gets besides its own.
 * $end gets what the call has returned (null after an exception) and what it has thrown.
 * @param \Closure|null $begin function (string $name, ?object $object, array $arguments): ?array; null: nothing is observed any more
 * @param \Closure|null $end function (mixed $first, mixed $result, ?\Throwable $thrown): void
 */
function observe_calls(?\Closure $begin, ?\Closure $end = null): void {}

/** Calls $call as if it were a function of this name that is observed: for waits of classes in PHP, such as those for a connection of a pool. */
function observed(string $name, object $object, \Closure $call): mixed {}
