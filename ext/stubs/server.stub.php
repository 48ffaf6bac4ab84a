<?php

/** @generate-class-entries */

namespace Swoole;

/**
 * A server of several processes: a supervisor (master and manager in one) and workers. Both modes work alike; the mode
 * decides the default number of workers (SWOOLE_BASE: 1, SWOOLE_PROCESS: one per core).
 *
 * Signals to the supervisor: SIGTERM, SIGQUIT, SIGHUP stop after the requests in flight (at most max_wait_time), a second
 * one or SIGINT at once; SIGUSR1 reloads the workers and task workers, SIGUSR2 the task workers; SIGRTMIN opens the log file
 * again; SIGTSTP suspends all processes until SIGCONT.
 */
class Server
{
    /** @var array|null Settings with their defaults, from start() on. */
    public $setting = null;
    /** @var \Swoole\Connection\Iterator|null */
    public $connections = null;
    /** @var string */
    public $host = '';
    /** @var int */
    public $port = 0;
    /** @var int */
    public $type = 0;
    /** @var bool */
    public $ssl = false;
    /** @var int */
    public $mode = 0;
    /** @var array|null */
    public $ports = null;
    /** @var int */
    public $master_pid = 0;
    /** @var int */
    public $manager_pid = 0;
    /** @var int Of a worker, then of a task worker, then of a user process; -1 in the supervisor. */
    public $worker_id = -1;
    /** @var bool Whether this process is a task worker. */
    public $taskworker = false;
    /** @var int */
    public $worker_pid = 0;
    /** @var int|null */
    public $stats_timer = null;
    /** @var mixed */
    public $admin_server = null;

    /**
     * Opens the port at once, so that a port in use is an error here.
     * @throws \Swoole\Exception when the address is not valid or cannot be bound, with the reason.
     */
    public function __construct(string $host = '0.0.0.0', int $port = 0, int $mode = SWOOLE_BASE, int $sock_type = SWOOLE_SOCK_TCP) {}

    public function __destruct() {}

    /** One more port. False, with a warning, when it cannot be bound or the server is running. */
    public function listen(string $host, int $port, int $sock_type): Server\Port|false {}

    /** @implementation-alias Swoole\Server::listen */
    public function addlistener(string $host, int $port, int $sock_type): Server\Port|false {}

    /**
     * Sets the function of an event; names in any letter case: start, shutdown, managerStart, managerStop, workerStart,
     * workerStop, workerExit, workerError, boot, bootCheck, bootError, beforeReload, afterReload, beforeShutdown, connect, close, request, task, finish,
     * pipeMessage, and of stream and datagram ports receive, packet, bufferFull, bufferEmpty. receive gets the server, the
     * connection, the worker's number and the bytes; the events of a connection begin in the order of what happened, each in a
     * coroutine. packet gets the server, the datagram and an array: server_socket, server_port, dispatch_time, address, port.
     * boot (Stampede's own) gets the server and loads the application once for each generation, in a process of its own from which the
     * workers and task workers are then forked: they start at once and share its memory until they write to it. A reload loads
     * the next generation first. bootCheck gets the server in a further process, which is forked for it when boot has returned and ends
     * with it. When one of them throws, exits, ends with a fatal error or both need longer than boot_timeout, the present
     * generation goes on, and bootError gets the server and the reason, in the supervisor.
     * False, with a warning, when the event is not known or the server is running.
     */
    public function on(string $event_name, callable $callback): bool {}

    public function getCallback(string $event_name): \Closure|string|null|array {}

    /**
     * Settings, also several times: later values replace earlier ones, null stands for the default. A value of the wrong kind or out of
     * range gives a warning that names the option, and the result is false; the others of the array are taken. An unknown option gives
     * a warning; one without effect says so in the log at start(), one that is missing makes start() fail (php --ri stampede lists
     * them). False when the server is running.
     */
    public function set(array $settings): bool {}

    /**
     * Runs the server until it is stopped. False, with a warning, when it cannot start.
     * In workers this call does not return.
     */
    public function start(): bool {}

    /** Stops the whole server, as SIGTERM does. */
    public function shutdown(): bool {}

    /**
     * Replaces all workers one after another, without losing a request, then the task workers (or those alone), without losing
     * a task that waits.
     */
    public function reload(bool $only_reload_taskworker = false): bool {}

    /**
     * Ends a worker (by default the calling one) after its requests in flight; it is replaced. The successor of the calling worker is started at once,
     * that of another one when it has ended.
     */
    public function stop(int $workerId = -1): bool {}

    /**
     * Counters of the whole server; in a worker also its own. pipe_packet_msg_id counts the messages between processes, min_fd is
     * the highest descriptor of a port and max_fd the highest that a connection has had; with task workers task_queue_num is the
     * tasks that none has begun.
     */
    public function stats(): array {}

    public function exists(int $fd): bool {}

    /** @implementation-alias Swoole\Server::exists */
    public function exist(int $fd): bool {}

    /** Closes a connection of any worker; with $reset unsent data is dropped. */
    public function close(int $fd, bool $reset = false): bool {}

    /**
     * Sends bytes to a connection of any worker, from any process of the server but the master. A path that begins with "/"
     * is a peer of the server's unix datagram port; $serverSocket is then the port's descriptor. What the peer does not take
     * waits, up to socket_buffer_size: above it a coroutine waits (send_yield, at most send_timeout), other code gets false
     * with SWOOLE_ERROR_OUTPUT_BUFFER_OVERFLOW. False also when there is no such connection, see getLastError().
     */
    public function send(int|string $fd, string $send_data, int $serverSocket = -1): bool {}

    /** Sends a datagram from the server's own socket of the address's family: IPv4, IPv6, or a path for a unix socket. */
    public function sendto(string $ip, int $port, string $send_data, int $server_socket = -1): bool {}

    /**
     * Sends to a connection of this worker and returns when the kernel has taken everything: in a coroutine it waits,
     * elsewhere the process does. At most send_timeout, or 10 seconds.
     */
    public function sendwait(int $conn_fd, string $send_data): bool {}

    /** Sends a part of a file to a connection of any worker; $length 0 is the rest. The file is read as it is being sent. */
    public function sendfile(int $conn_fd, string $filename, int $offset = 0, int $length = 0): bool {}

    /** Nothing of the connection (of a stream port, of any worker) is read until resume(). */
    public function pause(int $fd): bool {}

    public function resume(int $fd): bool {}

    /**
     * With enable_delay_receive: what the connection sends is read from now on.
     * @implementation-alias Swoole\Server::resume
     */
    public function confirm(int $fd): bool {}

    /** A protected connection is not closed for its silence (heartbeat_idle_time, max_idle_time, heartbeat()). */
    public function protect(int $fd, bool $is_protected = true): bool {}

    /**
     * Gives the connection a user's number from 1 to 4294967295, once: false when it has one. getClientInfo() shows it as
     * uid, and with dispatch_mode 5 it chooses the worker.
     */
    public function bind(int $fd, int $uid): bool {}

    /**
     * This worker's connections of stream ports that have been silent for heartbeat_idle_time, and closes them unless told
     * otherwise. False when heartbeat_check_interval and heartbeat_idle_time are not set.
     */
    public function heartbeat(bool $ifCloseConnection = true): array|false {}

    /** A port's socket (by its number, 0 for the first) as an object of PHP's extension sockets. False, with a warning, without that. */
    public function getSocket(int $port = 0): \Socket|false {}

    /**
     * What is known of a connection of any worker, false when there is none; of WebSocket servers also websocket_status
     * (WEBSOCKET_STATUS_*), of bound ones uid, of this worker's ssl_client_cert (PEM) where the client has shown one. Times of use and queued bytes are those of this worker's connections only.
     * The function of the event close is still told of the connection that has ended, although exists() is false by then.
     */
    public function getClientInfo(int $fd, int $reactor_id = -1, bool $ignoreError = false): array|false {}

    /** @implementation-alias Swoole\Server::getClientInfo */
    public function connection_info(int $fd, int $reactor_id = -1, bool $ignoreError = false): array|false {}

    /** Numbers of all workers' connections above $start_fd, at most $find_count (100 at most). */
    public function getClientList(int $start_fd = 0, int $find_count = 10): array|false {}

    /** @implementation-alias Swoole\Server::getClientList */
    public function connection_list(int $start_fd = 0, int $find_count = 10): array|false {}

    public function getWorkerId(): int|false {}

    public function getWorkerPid(int $worker_id = -1): int|false {}

    /** SWOOLE_WORKER_BUSY while it has requests, SWOOLE_WORKER_IDLE, or SWOOLE_WORKER_EXIT while it drains. */
    public function getWorkerStatus(int $worker_id = -1): int|false {}

    /**
     * Gives a task to a task worker and goes on; its number, from 0 in each process. $data is any value that can be serialized, of
     * 64 MiB at most. Without $taskWorkerIndex (0 to task_worker_num - 1), and always with task_ipc_mode 3, an idle task worker is taken. The result, when there is one, comes
     * to the event `finish` of the process that gave the task, or to $finishCallback with the same arguments: in a worker, and in a user process while its
     * event loop runs (in its coroutines, or after its function has returned). Tasks of the supervisor have none.
     * A task waits until its task worker takes it, also while that one is replaced, and with message_queue_key after the end of the server, too; one in progress is lost when its task
     * worker is killed. With message_queue_key it waits for room in the queue, for up to 3 seconds.
     * False, with a warning: without task_worker_num, in a task worker, or when too much is waiting already.
     */
    public function task(mixed $data, int $taskWorkerIndex = -1, ?callable $finishCallback = null): int|false {}

    /**
     * Gives a task and waits for its result, at most $timeout seconds; -1: as long as its task worker works on it. In a coroutine
     * others run meanwhile, elsewhere the process blocks. False at the time-out, when the task ends without a result, and when its task
     * worker is killed. In workers and user processes, not in the supervisor nor in children that these have forked themselves.
     */
    public function taskwait(mixed $data, float $timeout = 0.5, int $taskWorkerIndex = -1): mixed {}

    /**
     * Gives several tasks (at most 1023) and waits for all: their results by position (0, 1, ...), without those that have
     * none in time. False when none has.
     */
    public function taskWaitMulti(array $tasks, float $timeout = 0.5): array|false {}

    /** The same in a coroutine, with false in the place of a result that is missing. */
    public function taskCo(array $tasks, float $timeout = 0.5): array|false {}

    /**
     * In the event `task`: its result. The same as returning a value other than null. With task_enable_coroutine use
     * Task::finish().
     */
    public function finish(mixed $data): bool {}

    /**
     * Any value to the event pipeMessage ($server, the sender's number, $message) of a worker, a task worker, or a user process whose
     * loop runs. The supervisor's number is -1. It waits in the receiver's inbox, also while that process is replaced. False, with a
     * warning: without that event, to the caller itself, to a number that does not exist, or when too much is waiting already.
     */
    public function sendMessage(mixed $message, int $dst_worker_id): bool {}

    /**
     * A process that lives with the server: it is started with the workers, started again when it ends (at once; after a second when
     * its life was short, up to 30 seconds when it failed), not reloaded, and stopped last, by SIGTERM and after max_wait_time by
     * SIGKILL. Its worker_id comes after those of the task workers, and is the `id` of its object there. write() and read() of the
     * object lead to it from all processes. A number from 1. False, with a warning, when the server is running or the process is
     * known already.
     */
    public function addProcess(\Swoole\Process $process): int|false {}

    /**
     * A function ($server, string $data): string that command() calls in processes of these types
     * (SWOOLE_SERVER_COMMAND_MASTER and _MANAGER: the supervisor, _WORKER, _TASK_WORKER). Before start().
     */
    public function addCommand(string $name, int $accepted_process_types, callable $callback): bool {}

    /**
     * Calls such a function in the process (counted from 0 among those of its type) with $data as JSON, and waits for its result, at
     * most 10 seconds. The result is decoded unless $json_decode is off. False when there is none.
     */
    public function command(string $name, int $process_id, int $process_type, mixed $data, bool $json_decode = true): array|string|false {}

    public function getManagerPid(): int {}

    public function getMasterPid(): int {}

    public function getLastError(): int {}
}

namespace Swoole\Http;

/** A server for HTTP/1.0 and HTTP/1.1; the event `request` handles them. */
class Server extends \Swoole\Server
{
}
