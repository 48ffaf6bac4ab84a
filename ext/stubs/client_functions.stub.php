<?php

/** @generate-function-entries */

/**
 * Waits until one of the clients, streams or sockets can be used, at most $timeout seconds (negative: without limit); the arrays
 * keep those that can, with their keys. Returns how many.
 */
function swoole_client_select(?array &$read, ?array &$write, ?array &$except, ?float $timeout = 0.5): int|false {}

/** @implementation-alias swoole_client_select */
function swoole_select(?array &$read, ?array &$write, ?array &$except, ?float $timeout = 0.5): int|false {}

/** Two Coroutine\Socket that are connected with each other. */
function swoole_coroutine_socketpair(int $domain, int $type, int $protocol): array|false {}
