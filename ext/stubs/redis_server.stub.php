<?php

/** @generate-class-entries */

namespace Swoole\Redis;

/**
 * A server for clients of Redis: each request calls the function of its command, in a coroutine, and what that returns
 * (a string made by format()) is sent. Requests of one connection begin in their order; clients that send several at once
 * get the responses in the order in which the functions end. The response to a command without a function is an error.
 */
class Server extends \Swoole\Server
{
    /** @var int */
    public const NIL = 1;
    /** @var int */
    public const ERROR = 0;
    /** @var int */
    public const STATUS = 2;
    /** @var int */
    public const INT = 3;
    /** @var int */
    public const STRING = 4;
    /** @var int */
    public const SET = 5;
    /** @var int */
    public const MAP = 6;

    /** The function gets the connection and an array of the strings after the command, whose letter case does not count. */
    public function setHandler(string $command, callable $callback): bool {}

    /** Null when the command has no function. */
    public function getHandler(string $command): \Closure {}

    /**
     * A response as the protocol writes it. ERROR and STATUS take a line of text, INT a number, STRING one value, SET a
     * list, MAP an array with its keys. False, with a warning, when the value does not fit.
     */
    public static function format(int $type, mixed $value = null): string|false {}
}
