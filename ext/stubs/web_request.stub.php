<?php

/** @generate-class-entries */

namespace Stampede;

/**
 * The one request that PHP's own functions know: superglobals and global variables, header(), setcookie(), http_response_code(), php://input,
 * output, sessions, register_shutdown_function(), ini_set(), error_get_last(), setlocale(), date_default_timezone_set(), chdir(), umask() and
 * mb_internal_encoding() behave between begin() and end() as they do on other web servers. For bridges of applications that were written for
 * those. Each coroutine can have one: while it waits, others have theirs. A coroutine that is created in a request sees that request until it
 * ends, but what it prints is not the request's. Functions, classes, other static variables, constants and environment variables are the process's.
 */
final class WebRequest
{
    private function __construct() {}

    /**
     * $server becomes $_SERVER; its REQUEST_METHOD, REQUEST_URI, QUERY_STRING, CONTENT_TYPE and HTTP_COOKIE are also what PHP's functions go by.
     * $get, $post, $cookies and $files become the other superglobals, $_REQUEST is made of the first two; $body is what php://input gives.
     *
     * @param callable|null $output called as output(string $data, bool $last) with what the coroutine has printed: when 64 KiB have been
     *   printed, when the application flushes, and at the end. headers_list() and http_response_code() tell what is to be sent before the first
     *   data. False returned: the client has left, which connection_status() tells then; what run() or call() runs ends as by exit, unless
     *   ignore_user_abort() asks for something else. Null: what is printed goes to the output of the process.
     * @throws \Swoole\Exception while another request is under way in this coroutine
     */
    public static function begin(array $server, array $get, array $post, array $cookies, array $files, string $body, ?callable $output = null): void {}

    /**
     * Runs a file as the main script: its variables are the global ones. In a coroutine exit ends the file alone, and as it would end a script: its text
     * is printed at once, and no catch and no finally sees it.
     *
     * @param float $trusted seconds after opcache has looked whether the file has changed in which it need not look again
     * @return mixed what the file returns; null when it exits
     * @throws \Swoole\Exception without a request
     */
    public static function run(string $file, float $trusted = 0): mixed {}

    /**
     * Calls a function that exit ends alone, as it ends a file in run(): no catch sees it. But `finally` runs, since the code that is called goes
     * on with the next request, and has to put back what that shares.
     *
     * @return mixed what the function returns; null when it exits
     * @throws \Swoole\Exception without a request
     */
    public static function call(callable $function): mixed {}

    /**
     * What is printed is kept from now on, however much it is, and flush() sends nothing: header fields can be set until release(). For
     * applications whose response is an object, in front of whose body belongs what they print.
     *
     * @throws \Swoole\Exception without a request
     */
    public static function hold(): void {}

    /**
     * @return string what has been printed since hold(); what is printed next goes to the output of begin() again
     * @throws \Swoole\Exception without a request
     */
    public static function release(): string {}

    /** What header() was given as the whole first line of the response, such as "HTTP/1.1 404 Not Found"; empty: nothing of that kind. */
    public static function statusLine(): string {}

    /** error_get_last() tells of a fatal error from now on, as PHP's own does after an exception that nothing has caught. */
    public static function noteFatalError(string $message, string $file, int $line): void {}

    /**
     * Runs the shutdown functions, writes the session, ends the output; then everything is as it was before begin(). A coroutine that ends
     * without it drops its request: its session is written, its shutdown functions are not called.
     * @throws \Throwable what these functions have thrown, after all the rest is done
     */
    public static function end(): void {}

    /**
     * From now on these static properties are a request's own, too: it begins with the values that the process has, its coroutines see what it
     * has assigned, and what it leaves is released at its end. For containers and facades that a framework keeps in static properties.
     *
     * @param array $properties texts like "Class::$name"; a property that a class inherits is its parent's
     * @throws \Swoole\Exception for a property that is not there, and for a new one while requests are under way
     */
    public static function isolateStatics(array $properties): void {}

    /**
     * What code sets below a method of these classes holds longer than the request: ini_set(), set_include_path(), setlocale(),
     * date_default_timezone_set(), stream_wrapper_register() and the like set it for the process as well. For containers that keep the services
     * they make: what a service's constructor sets is gone in the next request otherwise. The level of error_reporting() stays the coroutine's.
     *
     * @param array $classes names of classes and interfaces; those that extend or implement them are meant, too
     * @throws \Swoole\Exception for one that is not there
     */
    public static function keepSettingsOf(array $classes): void {}

    /**
     * For a forked process that handles one request: when PHP has ended its request (shutdown functions, destructors, open files), the process
     * ends at once, instead of taking apart one by one the classes, functions and modules that it shares with the process it was forked from.
     */
    public static function endProcessToo(): void {}
}
