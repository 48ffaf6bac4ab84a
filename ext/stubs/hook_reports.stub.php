<?php

/** @generate-function-entries */

namespace Stampede;

/**
 * The program and each loaded library: which of its calls of libc wait in coroutines now, and why it takes part as it
 * does. "state" is "redirected", "flag off" (the object is selected by a SWOOLE_HOOK_* flag that is not set), "nothing
 * to redirect", "left alone", or why it could not be redirected. Empty until the hooks are turned on for the first time.
 * @return array<string, array{state: string, reason: string, functions: list<string>}> by path
 */
function hooked_objects(): array {}

/**
 * Calls that could not be made to wait and held the process longer than swoole.blocking_threshold (microseconds): how
 * many there were in this process, how long they took together and the longest of them (seconds), and the last one's
 * name, file and line. Counted while swoole.blocking_detection is on.
 * @return array{count: int, total: float, longest: float, last: ?string}
 */
function blocking_calls(): array {}
