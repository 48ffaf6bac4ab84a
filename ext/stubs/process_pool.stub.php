<?php

/** @generate-class-entries */

namespace Swoole\Process;

/**
 * A fixed number of worker processes under a supervisor, which replaces those that end: at once, but with a growing
 * delay of up to a second when each lived for less than a second and none came to the end of WorkerStart.
 *
 * Signals to the supervisor: SIGTERM and SIGINT stop the pool, SIGUSR1 and SIGUSR2 replace the workers one by one.
 * A worker that gets SIGTERM finds $workerRunning false and ends once nothing is left to do.
 */
class Pool
{
    /** @var int Of the supervisor, from start() on. */
    public $master_pid = -1;

    /** @var int In a worker, its own process. */
    public $workerPid = -1;

    /** @var int In a worker, 0 to worker_num - 1. */
    public $workerId = -1;

    /** @var array|null The processes that getProcess() has made. */
    public $workers;

    /** @var bool False in a worker that is to end. */
    public $workerRunning = true;

    /** @var bool False when the pool (in a worker: the worker) is to end. */
    public $running = true;

    /**
     * $ipc_type: SWOOLE_IPC_NONE, SWOOLE_IPC_UNIXSOCK (sendMessage()), SWOOLE_IPC_MSGQUEUE (a System V queue of
     * $msgqueue_key, 0 for one of its own) or SWOOLE_IPC_SOCKET (listen()). With $enable_coroutine the events of
     * the workers run in coroutines; it goes with the first two only.
     * @throws \Swoole\Exception
     */
    public function __construct(int $worker_num, int $ipc_type = SWOOLE_IPC_NONE, int $msgqueue_key = 0, bool $enable_coroutine = false) {}

    public function __destruct() {}

    /**
     * enable_coroutine; enable_message_bus: sendMessage() takes messages of any size up to max_package_size (2 MiB);
     * max_wait_time: seconds until a worker that was told to end is killed (3), 0 waits for it without a limit.
     */
    public function set(array $settings): void {}

    /**
     * Start, before the first worker is forked, Shutdown, before the workers are told to end: ($pool), in the
     * supervisor; WorkerStart, WorkerStop, WorkerExit: ($pool, $workerId); Message:
     * ($pool, $data). WorkerExit is told again and again while a worker with coroutines has something left to do
     * after it was told to end. False, with a warning, when the event is not known or the pool is running.
     */
    public function on(string $name, callable $callback): bool {}

    /** The process of a worker with this side of its pipe; -1: of this worker. */
    public function getProcess(int $work_id = -1): \Swoole\Process|false {}

    /**
     * For SWOOLE_IPC_SOCKET. unix:/path or an address and a port. A client sends one message per connection: its
     * length in four bytes, highest first, and the message. The response looks the same.
     */
    public function listen(string $host, int $port = 0, int $backlog = 2048): bool {}

    /** Adds to the response to the present message, with SWOOLE_IPC_SOCKET. */
    public function write(string $data): bool {}

    /** For SWOOLE_IPC_UNIXSOCK: the worker's event Message gets it, or its replacement's. Waits while its pipe is full. */
    public function sendMessage(string $data, int $dst_worker_id): bool {}

    /** This worker is replaced at once and goes on by itself; it gets no messages any more. */
    public function detach(): bool {}

    /**
     * Runs the pool until it is stopped; in workers this call does not return. False, with a warning, when it runs
     * already.
     * @throws \Swoole\Exception when something is missing
     */
    public function start(): false|null {}

    /** In a worker: it ends, and is replaced. */
    public function stop(): void {}

    /** Stops the whole pool, as SIGTERM does. */
    public function shutdown(): bool {}
}
