<?php

declare(strict_types=1);

/*
 * Servers set up as published frameworks set them up by default: "kept" (blocking code, string settings from a command line, a table and
 * timers that the first processes share), "events" (event names in small letters, a title for each process) and "websocket" (a port of its
 * own for HTTP beside WebSocket, objects as tasks).
 */

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server as HttpServer;
use Swoole\Process;
use Swoole\Server;
use Swoole\Table;
use Swoole\Timer;
use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server as WebSocketServer;

$settings = json_decode($argv[2] ?? '{}', true);
$style = $settings['_style'];
$port = (int) $argv[1];

/** Columns keep what they may hold, so that a write that is too long is an exception instead of a cut value. */
final class CheckedTable extends Table
{
    /** @var array<string, array{int, int}> */
    public array $columns = [];

    public function column(string $name, int $type, int $size = 0): bool
    {
        $this->columns[$name] = [$type, $size];
        return parent::column($name, $type, $size);
    }

    public function set(string $key, array $value): bool
    {
        foreach ($value as $name => $one) {
            [$type, $size] = $this->columns[$name];
            if ($type === self::TYPE_STRING && strlen($one) > $size) {
                throw new LengthException("$name holds $size bytes");
            }
        }
        return parent::set($key, $value);
    }
}

/** A job as an object that crosses processes. */
final class ParcelOfWork
{
    public function __construct(public readonly string $name, public array $seen = [])
    {
    }
}

function keep(int $port): void
{
    $table = new CheckedTable(1000);
    $table->column('value', Table::TYPE_STRING, 20);
    $table->column('expiration', Table::TYPE_INT);
    $table->create();
    $ticks = new Table(16);
    $ticks->column('count', Table::TYPE_INT);
    $ticks->create();
    $ticks->set('ticks', ['count' => 0]);
    $server = new HttpServer('127.0.0.1', $port, SWOOLE_PROCESS, SWOOLE_SOCK_TCP);
    $server->set([
        'enable_coroutine' => false,
        'daemonize' => false,
        'log_level' => SWOOLE_LOG_ERROR,
        'max_request' => '500',
        'package_max_length' => 10 * 1024 * 1024,
        'reactor_num' => '2',
        'send_yield' => true,
        'socket_buffer_size' => 10 * 1024 * 1024,
        'task_max_request' => '500',
        'task_worker_num' => '2',
        'worker_num' => '2',
    ]);
    $pids = new Table(16);
    $pids->column('pid', Table::TYPE_INT);
    $pids->create();
    $server->on('start', static function (HttpServer $server) use ($pids, $ticks): void {
        $pids->set('master', ['pid' => $server->master_pid]);
        $pids->set('manager', ['pid' => $server->manager_pid]);
        Timer::tick(20, static function () use ($server, $ticks): void {
            $server->task('tick');
            $ticks->incr('ticks', 'count');
        });
        Process::signal(SIGINT, static fn () => null);
    });
    $server->on('managerstart', static function () use ($pids): void {
        $pids->set('managerstart', ['pid' => getmypid()]);
    });
    $server->on('workerstart', static function (HttpServer $server, int $id) use ($pids): void {
        $pids->set($server->taskworker ? "task$id" : "worker$id", ['pid' => getmypid()]);
    });
    $server->on('workerstop', static fn () => null);
    $server->on('task', static function (HttpServer $server, int $id, int $from, mixed $data) use ($table): mixed {
        if ($data === 'tick') {
            $table->incr('ticked', 'expiration');
            return $data;
        }
        return $data instanceof Closure ? null : strrev((string) $data);
    });
    $server->on('finish', static fn () => null);
    $server->on('request', static function (Request $request, Response $response) use ($server, $table, $ticks, $pids): void {
        $response->status(200, 'Fine');
        $response->header('X-List', ['a', 'b']);
        switch ($request->server['request_uri']) {
            case '/table':
                $table->set('k1', ['value' => 'one', 'expiration' => 10]);
                $table->set('k2', ['value' => 'two', 'expiration' => 20]);
                $error = '';
                try {
                    $table->set('k3', ['value' => str_repeat('x', 30)]);
                } catch (LengthException $exception) {
                    $error = $exception->getMessage();
                }
                $rows = [];
                foreach ($table as $key => $row) {
                    $rows[$key] = $row['value'];
                }
                $keys = [];
                for ($table->rewind(); $table->valid(); $table->next()) {
                    $keys[] = $table->key() . '=' . $table->current()['expiration'];
                }
                unset($rows['ticked']);
                $keys = array_values(array_filter($keys, static fn (string $key): bool => $key[0] === 'k'));
                ksort($rows);
                sort($keys);
                $response->end(json_encode([$rows, $keys, $error, $table->get('k1', 'value'), count($table) === $table->count(), $table->del('k2'), $table->exists('k2')]));
                return;
            case '/tasks':
                $response->end(json_encode([array_values($server->taskWaitMulti(['abc', 'def'], 5.0)), $server->taskwait('ghi', 5)]));
                return;
            case '/state':
                $response->end(json_encode([
                    'ticks' => $ticks->get('ticks', 'count'), 'ticked' => $table->get('ticked', 'expiration'), 'pids' => iterator_to_array($pids),
                    'setting' => array_map(static fn (string $name): mixed => $server->setting[$name], ['worker_num', 'task_worker_num', 'reactor_num', 'max_request']),
                    'cid' => Coroutine::getCid(), 'manager' => $server->manager_pid, 'stats_timer' => $server->stats_timer, 'admin' => isset($server->admin_server),
                    'probes' => [extension_loaded('swoole'), extension_loaded('Swoole'), defined('SWOOLE_HOOK_ALL'), defined('SWOOLE_VERSION'), phpversion('swoole') === SWOOLE_VERSION,
                        class_exists(Swoole\Client::class), isset($request->ignoreFile)],
                ]));
                return;
        }
        $response->end($request->rawContent());
    });
    $server->start();
}

function listen(int $port): void
{
    $server = new HttpServer('127.0.0.1', $port, SWOOLE_PROCESS, SWOOLE_SOCK_TCP);
    $server->set(['max_conn' => 1024, 'worker_num' => 2, 'task_worker_num' => 1, 'reload_async' => true, 'buffer_output_size' => 4 << 20, 'pid_file' => sys_get_temp_dir() . "/stampede-defaults-$port.pid"]);
    $seen = new Table(64);
    $seen->column('count', Table::TYPE_INT);
    $seen->create();
    foreach (['start', 'managerstart', 'managerstop', 'workerstart', 'workerstop', 'workererror', 'beforereload', 'afterreload', 'shutdown'] as $event) {
        $server->on($event, static function (Server $server) use ($event, $seen): void {
            $seen->incr($event, 'count');
            @swoole_set_process_name("defaults $event");
        });
    }
    $server->on('task', static fn (Server $server, int $id, int $worker, mixed $data) => $server->finish($data));
    $server->on('finish', static function (Server $server, int $id, mixed $data) use ($seen): void {
        $seen->incr("finish $data", 'count');
    });
    $server->on('request', static function (Request $request, Response $response) use ($server, $seen): void {
        match ($request->server['request_uri']) {
            '/task' => $server->task('done'),
            '/reload' => $server->reload(),
            default => null,
        };
        $response->setStatusCode(201);
        $response->setCookie('a', 'b c');
        $response->end(json_encode(['events' => array_map(static fn (array $row): int => $row['count'], iterator_to_array($seen)), 'own' => $server->connection_info($request->fd)['remote_ip'],
            'pids' => [$server->getMasterPid() === $server->master_pid, $server->getManagerPid() === $server->manager_pid, $server->getWorkerPid() === getmypid()], 'names' => count($server->ports)]));
    });
    $server->start();
}

function push(int $port): void
{
    $server = new WebSocketServer('127.0.0.1', $port, SWOOLE_PROCESS, SWOOLE_SOCK_TCP);
    $server->set(['worker_num' => '2', 'max_wait_time' => 3, 'reload_async' => true, 'task_worker_num' => 1, 'hook_flags' => SWOOLE_HOOK_ALL]);
    $web = $server->addlistener('127.0.0.1', 0, SWOOLE_SOCK_TCP);
    $web->set(['open_http_protocol' => true, 'open_websocket_protocol' => false]);
    $web->on('request', static fn (Request $request, Response $response) => $response->end('port'));
    $server->on('open', static fn (WebSocketServer $server, Request $request) => $server->push($request->fd, 'opened'));
    $server->on('message', static function (WebSocketServer $server, Frame $frame) use ($web): void {
        $answer = match ($frame->data) {
            'port' => $web->port,
            'connections' => count(iterator_to_array($server->connections)),
            'established' => $server->isEstablished($frame->fd),
            'info' => $server->getClientInfo($frame->fd)['websocket_status'],
            default => $server->taskwait(new ParcelOfWork($frame->data), 5),
        };
        $server->push($frame->fd, json_encode($answer), WEBSOCKET_OPCODE_TEXT, SWOOLE_WEBSOCKET_FLAG_FIN);
    });
    $server->on('task', static function (Server $server, int $id, int $worker, ParcelOfWork $job): ParcelOfWork {
        $job->seen[] = $worker < 2 ? 'worker' : 'other';
        return $job;
    });
    $server->on('request', static function (Request $request, Response $response) use ($server, $web): void {
        $event = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $told = new Coroutine\Channel(1);
        swoole_event_add($event[0], static function ($socket) use ($told): void {
            $bytes = fread($socket, 100);
            swoole_event_del($socket);
            $told->push($bytes);
        });
        fwrite($event[1], 'by event');
        $response->end(json_encode([$told->pop(5), $web->port, $server->connections !== null, count($server->ports)]));
    });
    $server->start();
}

match ($style) {
    'kept' => keep($port),
    'events' => listen($port),
    'websocket' => push($port),
};
