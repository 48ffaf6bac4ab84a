<?php

/** @generate-class-entries */

namespace Swoole;

/**
 * A child process that runs a callback, with a pipe (or a message queue) between it and its parent. Made and started
 * outside coroutines. read() and write() let other coroutines run when called in one.
 */
class Process
{
    /** @var int */
    public const IPC_NOWAIT = 256;

    /** @var int */
    public const PIPE_MASTER = 1;

    /** @var int */
    public const PIPE_WORKER = 2;

    /** @var int */
    public const PIPE_READ = 3;

    /** @var int */
    public const PIPE_WRITE = 4;

    /** @var int */
    public const PIPE_TYPE_NONE = 0;

    /** @var int */
    public const PIPE_TYPE_STREAM = 1;

    /** @var int */
    public const PIPE_TYPE_DGRAM = 2;

    /** @var int|null Descriptor of this side of the pipe. */
    public $pipe;

    /** @var int|null */
    public $msgQueueId;

    /** @var int|null */
    public $msgQueueKey;

    /** @var int|null Of the child, once started. */
    public $pid;

    /** @var int|null 1, 2 ... in the order in which the objects were made; of a pool's worker its number. */
    public $id;

    /** @var callable|null */
    private $callback;

    /**
     * $callback gets this object, in the child. $pipe_type: SOCK_DGRAM keeps messages apart, SOCK_STREAM does not, 0 makes no
     * pipe. With $redirect_stdin_and_stdout the child's standard input, output and error are the pipe, a stream then.
     */
    public function __construct(callable $callback, bool $redirect_stdin_and_stdout = false, int $pipe_type = SOCK_DGRAM, bool $enable_coroutine = false) {}

    public function __destruct() {}

    /** Asks for a child that has ended: pid, code, signal; false when there is none (or, not $blocking, none yet). */
    public static function wait(bool $blocking = true): array|false {}

    /**
     * $callback gets the number, in a coroutine, when the loop runs; null gives the default action back. The loop does not go on for a callback alone,
     * unless swoole_async_set(['wait_signal' => true]) was called before.
     */
    public static function signal(int $signal_no, ?callable $callback = null): bool {}

    /** SIGALRM (1: SIGVTALRM, 2: SIGPROF) every so many microseconds; negative stops it. */
    public static function alarm(int $usec, int $type = 0): bool {}

    /** 0 only asks whether the process is there. */
    public static function kill(int $pid, int $signal_no = SIGTERM): bool {}

    /** Goes on in the background. $pipes: descriptors or streams instead of standard input, output and error. */
    public static function daemon(bool $nochdir = true, bool $noclose = true, array $pipes = []): bool {}

    /** The processors, counted from 0, that this process may run on. */
    public static function setAffinity(array $cpu_settings): bool {}

    public static function getAffinity(): array {}

    public function setPriority(int $which, int $priority, ?int $who = null): bool {}

    public function getPriority(int $which, ?int $who = null): int|false {}

    /** enable_coroutine: the callback runs in a coroutine. */
    public function set(array $settings): void {}

    /** How long read() and write() may wait. */
    public function setTimeout(float $seconds): bool {}

    /** Without blocking read() and write() give false at once when they would have to wait. */
    public function setBlocking(bool $blocking): bool {}

    /** Messages go through a System V queue. $mode 2: the first reader gets them, 1: each process its own; | IPC_NOWAIT. */
    public function useQueue(int $key = 0, int $mode = 2, int $capacity = -1): bool {}

    /** queue_num and queue_bytes. */
    public function statQueue(): array|false {}

    public function freeQueue(): bool {}

    /** The child's number in the parent; false with a warning when it cannot be started. */
    public function start(): bool|int {}

    public function write(string $data): int|false {}

    /** 0 both directions, PIPE_READ or PIPE_WRITE one of them. */
    public function close(int $which = 0): bool {}

    /** "" at the end of a stream. */
    public function read(int $size = 8192): string|false {}

    public function push(string $data): bool {}

    public function pop(int $size = 65536): string|false {}

    /** Ends the child from within. */
    public function exit(int $exit_code = 0): void {}

    /** Runs another program in the child's place; comes back only when that fails. */
    public function exec(string $exec_file, array $args): bool {}

    /** This side of the pipe for coroutines; the same object each time. */
    public function exportSocket(): Coroutine\Socket|false {}

    /** What ps shows. */
    public function name(string $process_name): bool {}
}
