<?php

/** @generate-class-entries */

namespace Swoole;

class Exception extends \Exception
{
}

class Error extends \Error
{
}

/** Thrown in place of exit() in coroutines and servers. */
class ExitException extends Exception
{
    private int $flags = 0;

    private mixed $status = 0;

    /** SWOOLE_EXIT_IN_COROUTINE, SWOOLE_EXIT_IN_SERVER. */
    public function getFlags(): int {}

    /** What was given to exit(). */
    public function getStatus(): mixed {}
}
