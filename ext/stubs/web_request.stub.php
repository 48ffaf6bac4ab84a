<?php

/** @generate-class-entries */

namespace Stampede;

/**
 * The one request that PHP's own functions know: header(), setcookie(), http_response_code(), php://input, output, sessions,
 * register_shutdown_function(), ini_set() and global variables behave between begin() and end() as they do on other web servers.
 * For bridges of applications that were written for those. One at a time in a process.
 */
final class WebRequest
{
    private function __construct() {}

    /**
     * @param string $contentType and $cookies: the fields as they came; empty when there was none
     * @param callable $output called as output(string $data, bool $last): when 64 KiB have been printed, when the application
     *   flushes, and at the end. headers_list() and http_response_code() tell what is to be sent before the first data.
     * @throws \Swoole\Exception while another request is under way
     */
    public static function begin(string $method, string $uri, string $query, string $contentType, string $cookies, string $body, callable $output): void {}

    /**
     * Runs a file as the main script: its variables are the global ones.
     * @return mixed what the file returns
     * @throws \Swoole\Exception without a request
     */
    public static function run(string $file): mixed {}

    /**
     * Runs the shutdown functions, writes the session, ends the output; then settings, header fields and global variables are
     * as they were before begin().
     * @throws \Throwable what these functions have thrown, after all the rest is done
     */
    public static function end(): void {}

    /**
     * For a forked process that handles one request: when PHP has ended its request (shutdown functions, destructors, open files), the process
     * ends at once, instead of taking apart one by one the classes, functions and modules that it shares with the process it was forked from.
     */
    public static function endProcessToo(): void {}
}
