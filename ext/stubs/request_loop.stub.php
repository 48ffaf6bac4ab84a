<?php

/** @generate-class-entries */

namespace Stampede;

/**
 * Requests in PHP's own request life: each runs its script from the engine's request startup to its shutdown in a forked process, which then takes the
 * next one. The launcher serves plain applications so; what it does with both ends of the connection is in its package.
 */
final class RequestLoop
{
    private function __construct() {}

    /**
     * Makes the calling process one that serves scripts: it connects to a unix socket, where a worker sends it requests. The script that has called this
     * ends, with its shutdown functions and destructors. Does not return when it could connect; the process ends when the worker closes the connection.
     * @param int $requests after which the process ends, for another to take its place; 0: none
     * @param int $memory bytes that the process may have in memory after a request; 0: any
     * @return bool false when nobody listens there
     * @throws \Swoole\Error in a coroutine
     */
    public static function run(string $path, int $requests = 0, int $memory = 0): bool {}

    /**
     * Before the calling process forks those that run(): they share what the kernel tells of changed paths, and need not ask it what is at a path that
     * nothing has changed since they have asked before.
     */
    public static function sharePathChanges(): void {}

    /**
     * What a worker sends before the body of a request.
     * @param array $fields strings by name: what _SERVER has of it; SCRIPT_FILENAME names the script that is run
     * @param int $body its size in bytes
     */
    public static function head(array $fields, int $body): string {}

    /** Kills a child of the calling process and all that it has started, also what is no child of its own any more where it runs scripts. */
    public static function kill(int $pid): void {}
}
