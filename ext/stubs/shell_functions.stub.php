<?php

/** @generate-function-entries */

/**
 * As exec(), in coroutines: other coroutines run meanwhile.
 * @param array $output its lines are added
 * @param int $returnVar
 */
function swoole_exec(string $command, mixed &$output = null, mixed &$returnVar = null): string|false {}

/** As shell_exec(), in coroutines. */
function swoole_shell_exec(string $cmd): string|false|null {}
