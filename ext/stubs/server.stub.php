<?php

/** @generate-class-entries */

namespace Swoole;

/**
 * A server of several processes: a supervisor (master and manager in one) and workers. Both modes work alike; the mode
 * decides the default number of workers (SWOOLE_BASE: 1, SWOOLE_PROCESS: one per core).
 *
 * Signals to the supervisor: SIGTERM, SIGQUIT, SIGHUP stop after the requests in flight (at most max_wait_time), a second
 * one or SIGINT at once; SIGUSR1 and SIGUSR2 reload the workers; SIGRTMIN opens the log file again; SIGTSTP suspends all
 * processes until SIGCONT.
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
    /** @var int -1 outside workers. */
    public $worker_id = -1;
    /** @var bool */
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
     * workerStop, workerExit, workerError, beforeReload, afterReload, beforeShutdown, connect, close, request.
     * False, with a warning, when the event is not known or the server is running.
     */
    public function on(string $event_name, callable $callback): bool {}

    public function getCallback(string $event_name): \Closure|string|null|array {}

    /** Settings, also several times; an unknown one gives a warning. False when the server is running. */
    public function set(array $settings): bool {}

    /**
     * Runs the server until it is stopped. False, with a warning, when it cannot start.
     * In workers this call does not return.
     */
    public function start(): bool {}

    /** Stops the whole server, as SIGTERM does. */
    public function shutdown(): bool {}

    /** Replaces all workers one after another, without losing a request. */
    public function reload(bool $only_reload_taskworker = false): bool {}

    /** Ends a worker (by default the calling one) after its requests in flight; it is replaced. */
    public function stop(int $workerId = -1): bool {}

    /** Counters of the whole server; in a worker also its own. */
    public function stats(): array {}

    public function exists(int $fd): bool {}

    /** @implementation-alias Swoole\Server::exists */
    public function exist(int $fd): bool {}

    /** Closes a connection of this worker; with $reset unsent data is dropped. */
    public function close(int $fd, bool $reset = false): bool {}

    /** What is known of a connection of this worker, false when there is none; of WebSocket servers also websocket_status (WEBSOCKET_STATUS_*). */
    public function getClientInfo(int $fd, int $reactor_id = -1, bool $ignoreError = false): array|false {}

    /** @implementation-alias Swoole\Server::getClientInfo */
    public function connection_info(int $fd, int $reactor_id = -1, bool $ignoreError = false): array|false {}

    /** Numbers of this worker's connections above $start_fd, at most $find_count (100 at most). */
    public function getClientList(int $start_fd = 0, int $find_count = 10): array|false {}

    /** @implementation-alias Swoole\Server::getClientList */
    public function connection_list(int $start_fd = 0, int $find_count = 10): array|false {}

    public function getWorkerId(): int|false {}

    public function getWorkerPid(int $worker_id = -1): int|false {}

    /** SWOOLE_WORKER_BUSY while it has requests, SWOOLE_WORKER_IDLE, or SWOOLE_WORKER_EXIT while it drains. */
    public function getWorkerStatus(int $worker_id = -1): int|false {}

    public function getManagerPid(): int {}

    public function getMasterPid(): int {}

    public function getLastError(): int {}
}

namespace Swoole\Http;

/** A server for HTTP/1.0 and HTTP/1.1; the event `request` answers. */
class Server extends \Swoole\Server
{
}
