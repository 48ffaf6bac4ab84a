<?php

declare(strict_types=1);

/*
 * Tasks, messages and user processes as applications use them. Settings beginning with "_" are this program's own: _pattern says which.
 */

use Swoole\Atomic;
use Swoole\Coroutine;
use Swoole\Coroutine\Socket;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;
use Swoole\Process;
use Swoole\Timer;

$settings = json_decode($argv[2] ?? '{}', true);
$pattern = $settings['_pattern'];
$folder = $settings['_folder'] ?? '';
unset($settings['_pattern'], $settings['_folder']);
$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$server->set($settings);
$counters = [];
foreach (['waited', 'ok', 'failed', 'late', 'given', 'refused', 'begun', 'finished', 'ticks', 'starts', 'cron'] as $name) {
    $counters[$name] = new Atomic(0);
}
$show = static function (Response $response) use ($counters, $server): void {
    $numbers = array_map(static fn (Atomic $counter): int => $counter->get(), $counters);
    $response->end(json_encode($numbers + $server->stats()));
};
$pids = static function (Response $response) use ($server): void {
    $found = [];
    for ($id = 0; ($pid = $server->getWorkerPid($id)) !== false || $id < $server->setting['worker_num'] + $server->setting['task_worker_num']; $id++) {
        $found[$id] = $pid;
    }
    $response->end(json_encode($found));
};

/** A job that is sent as an object. */
final class Job
{
    public function __construct(public string $name, public mixed $value = null)
    {
    }
}

$server->on('workerStart', static fn () => $counters['starts']->add());
switch ($pattern) {
    case 'load':
        $server->on('task', static function (Server $server, int $id, int $source, mixed $data) use ($counters): mixed {
            if ($data === 'forget') {
                $counters['begun']->add();
                return 'done';
            }
            usleep(random_int(100, 1500));
            return $data;
        });
        $server->on('finish', static fn () => $counters['finished']->add());
        $server->on('request', static function (Request $request, Response $response) use ($server, $counters, $show, $pids): void {
            if ($request->server['path_info'] === '/counters') {
                $show($response);
                return;
            }
            if ($request->server['path_info'] === '/pids') {
                $pids($response);
                return;
            }
            $began = microtime(true);
            $counters['waited']->add();
            $data = ['number' => random_int(0, 1 << 30), 'text' => str_repeat('x', random_int(0, 10) === 0 ? 100000 : 100)];
            $counters[$server->taskwait($data, 25) === $data ? 'ok' : 'failed']->add();
            $counters['late']->add(microtime(true) - $began > 24 ? 1 : 0);
            $counters[$server->task('forget') !== false ? 'given' : 'refused']->add();
            $response->end('ok');
        });
        break;

    case 'octane':
        // Ticks are given by the supervisor; concurrent work is a list of tasks that a worker waits for.
        $server->on('start', static function (Server $server): void {
            Timer::tick(20, static fn () => $server->task('octane-tick'));
        });
        $server->on('task', static function (Server $server, int $id, int $source, mixed $data) use ($counters): mixed {
            if ($data === 'octane-tick') {
                $counters['ticks']->add($server->worker_id >= $server->setting['worker_num'] ? 1 : 0);
                return null;
            }
            try {
                return new Job($data->name, match ($data->name) {
                    'add' => array_sum($data->value),
                    'fail' => throw new RuntimeException('as meant'),
                    'sleep' => usleep(500000),
                });
            } catch (RuntimeException $error) {
                return new Job('error', $error->getMessage());
            }
        });
        $server->on('finish', static fn () => null);
        $server->on('request', static function (Request $request, Response $response) use ($server, $show): void {
            if ($request->server['path_info'] === '/counters') {
                $show($response);
                return;
            }
            $results = $server->taskWaitMulti(['first' => new Job('add', [1, 2]), 'second' => new Job('fail'), 'third' => new Job('add', [3, 4])], 10);
            $slow = $server->taskWaitMulti(['slow' => new Job('sleep')], 0.05);
            $response->end(json_encode([$results[0]->value, $results[1]->value, $results[2]->value, $slow]));
        });
        break;

    case 'bridge':
        // Processes of the application that listen on unix sockets of their own; workers connect to them.
        for ($i = 0; $i < 2; $i++) {
            $path = "$folder/bridge$i.sock";
            $server->addProcess(new Process(static function (Process $process) use ($path, $server, $counters): void {
                Process::signal(SIGTERM, static function () use ($process, $path): void {
                    unlink($path);
                    $process->exit(0);
                });
                @unlink($path);
                $listener = new Socket(AF_UNIX, SOCK_STREAM, 0);
                $listener->bind($path);
                $listener->listen(64);
                $counters['begun']->add();
                while ($peer = $listener->accept(-1)) {
                    go(static function () use ($peer, $server): void {
                        $command = $peer->recv();
                        $peer->sendAll(json_encode(match ($command) {
                            'who' => ['id' => $server->worker_id, 'pid' => getmypid()],
                            'task' => $server->task('from the bridge') !== false,
                            'stats' => $server->stats()['user_worker_num'],
                        }));
                        $peer->close();
                    });
                }
            }, false, SOCK_DGRAM, true));
        }
        $server->on('task', static fn () => $counters['ticks']->add());
        $server->on('request', static function (Request $request, Response $response) use ($folder, $show, $pids): void {
            $path = $request->server['path_info'];
            if ($path === '/counters') {
                $show($response);
                return;
            }
            if ($path === '/pids') {
                $pids($response);
                return;
            }
            [, $number, $command] = explode('/', $path);
            $client = new Socket(AF_UNIX, SOCK_STREAM, 0);
            $connected = $client->connect("$folder/bridge$number.sock", 0, 5);
            $client->sendAll($command);
            $response->end($connected ? (string) $client->recv(65536, 5) : 'not connected');
        });
        break;

    case 'hyperf':
        // A process with a pipe that workers write objects to, and a clock that gives its work to workers by messages.
        $queue = new Process(static function (Process $process) use ($counters): void {
            $socket = $process->exportSocket();
            while (true) {
                $message = $socket->recv(65536, 10);
                if (is_string($message) && $message !== '' && unserialize($message) instanceof Job) {
                    $counters['begun']->add();
                }
            }
        }, false, SOCK_DGRAM, true);
        $clock = new Process(static function () use ($server): void {
            for ($i = 0; ; $i++) {
                $server->sendMessage(new Job('cron', $i), $i % 2);
                Coroutine::sleep(0.01);
            }
        }, false, 0, true);
        $server->addProcess($queue);
        $server->addProcess($clock);
        $server->on('pipeMessage', static function (Server $server, int $source, mixed $data) use ($counters): void {
            Coroutine::sleep(0.001);
            $counters['cron']->add($data instanceof Job && $data->name === 'cron' && $source >= $server->setting['worker_num'] ? 1 : 0);
        });
        $server->on('request', static function (Request $request, Response $response) use ($queue, $show, $pids): void {
            match ($request->server['path_info']) {
                '/counters' => $show($response),
                '/pids' => $pids($response),
                default => $response->end(json_encode($queue->exportSocket()->send(serialize(new Job('queue', random_int(0, 99)))) > 0)),
            };
        });
        break;

    case 'imi':
        // Events are set on the first port.
        $port = $server->ports[0];
        $port->on('request', static function (Request $request, Response $response) use ($server): void {
            $response->end(json_encode([$server->taskwait(new Job('double', 21), 10, 0), $server->taskCo([new Job('double', 1), new Job('double', 2)], 10)]));
        });
        $server->on('task', static function (Server $server, Swoole\Server\Task $task): void {
            Coroutine::sleep(0.001);
            $task->finish($task->data->value * 2);
        });
        $server->on('finish', static fn () => null);
        break;
}
$server->start();
