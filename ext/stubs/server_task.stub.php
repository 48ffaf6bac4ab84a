<?php

/** @generate-class-entries */

namespace Swoole\Server;

/** What the event `task` gets with task_enable_coroutine, task_use_object or event_object. */
final class Task
{
    /** @var mixed */
    public $data = null;
    /** @var float Wall clock, in seconds, when it was given. */
    public $dispatch_time = 0;
    /** @var int As task() returned it. */
    public $id = -1;
    /** @var int Of the worker or user process that gave it; -1 for the supervisor. */
    public $worker_id = -1;
    /** @var int SWOOLE_TASK_* */
    public $flags = 0;

    /**
     * Sends a result: to the event `finish` of the process that gave the task, or to the call that waits for it.
     * False, with a warning, when nobody is told of results: the supervisor gave the task, or a user process without the event `finish`.
     */
    public function finish(mixed $data): bool {}

    /** A string from which unpack() makes the same value again. */
    public static function pack(mixed $data): string|false {}

    /** False, with a warning, when pack() has not made the string. */
    public static function unpack(string $data): mixed {}
}

/** What the event `finish` gets with event_object. */
class TaskResult
{
    /** @var int */
    public $task_id = 0;
    /** @var int Of the task worker. */
    public $task_worker_id = 0;
    /** @var float Wall clock, in seconds, when the result was sent. */
    public $dispatch_time = 0;
    /** @var mixed */
    public $data = null;
}

/** What the event `pipeMessage` gets with event_object. */
class PipeMessage
{
    /** @var int Of the sender; -1 for the supervisor. */
    public $source_worker_id = 0;
    /** @var int The same, as older versions called it. */
    public $worker_id = 0;
    /** @var float Wall clock, in seconds, when it was sent. */
    public $dispatch_time = 0;
    /** @var mixed */
    public $data = null;
}

/** What the event `workerError` gets with event_object. */
class StatusInfo
{
    /** @var int */
    public $worker_id = 0;
    /** @var int */
    public $worker_pid = 0;
    /** @var int As wait() tells it: the exit code times 256, or the signal. */
    public $status = 0;
    /** @var int */
    public $exit_code = 0;
    /** @var int 0 when it ended by itself. */
    public $signal = 0;
}
