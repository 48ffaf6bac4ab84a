<?php

declare(strict_types=1);

namespace Stampede\Bench\Sweep;

use Swoole\Process;
use Swoole\Server;

/** Does something in a worker as often as said, then ends. */
$in_worker = static function (callable $work, array $settings = [], array $events = []): void {
    $server = new Server('127.0.0.1', 0);
    $server->on('receive', static function (Server $server, int $fd, int $reactor, string $data) use ($work): void {
        $work($server, $fd);
    });
    foreach ($events as $event => $handler) {
        $server->on($event, $handler);
    }
    serve($server, static function (int $port): void {
        $socket = connect($port);
        write($socket, 'go');
        read($socket, 4);
    }, $settings);
};
$taskwait = static fn (int $size, int $count): callable => static fn () => $in_worker(static function (Server $server, int $fd) use ($size, $count): void {
    $data = str_repeat('x', $size);
    for ($i = times($count); $i > 0; $i--) {
        if ($server->taskwait($data, 10) !== $data) {
            throw new \RuntimeException('A task failed.');
        }
    }
    $server->send($fd, 'done');
}, ['task_worker_num' => 1], ['task' => static fn (Server $server, int $id, int $from, string $data): string => $data]);
$messages = static function (int $size, int $count) use ($in_worker): void {
    $left = times($count);
    $client = 0;
    $data = str_repeat('x', $size);
    $in_worker(static function (Server $server, int $fd) use ($data): void {
        $server->sendMessage($fd, 1 - $server->worker_id);
        $server->sendMessage($data, 1 - $server->worker_id);
    }, ['worker_num' => 2], ['pipeMessage' => static function (Server $server, int $from, mixed $message) use (&$left, &$client): void {
        if (is_int($message)) {
            $client = $message;
        } elseif ($left-- > 0) {
            $server->sendMessage($message, $from);
        } elseif ($client > 0) {
            $server->send($client, 'done');
        } else {
            $server->sendMessage($message, $from);
        }
    }]);
};

return [
    'task_small' => $taskwait(50, 10000),
    'task_64k' => $taskwait(64 << 10, 3000),
    'task_1m' => $taskwait(1 << 20, 300),
    'tasks_with_finish' => static function () use ($in_worker): void {
        $left = times(10000);
        $client = 0;
        $in_worker(static function (Server $server, int $fd) use (&$left, &$client): void {
            $client = $fd;
            for ($i = $left; $i > 0; $i--) {
                $server->task(['number' => $i]);
            }
        }, ['task_worker_num' => 2], ['task' => static fn (Server $server, int $id, int $from, array $data): array => $data, 'finish' => static function (Server $server) use (&$left, &$client): void {
            if (--$left === 0) {
                $server->send($client, 'done');
            }
        }]);
    },
    'messages_small' => static fn () => $messages(50, 10000),
    'messages_64k' => static fn () => $messages(64 << 10, 2000),
    'messages_1m' => static fn () => $messages(1 << 20, 200),
    'process_pipe' => static function (): void {
        $process = new Process(static function (Process $process): void {
            while (($data = $process->read()) !== 'end') {
                $process->write($data);
            }
        });
        $process->start();
        for ($i = times(20000); $i > 0; $i--) {
            $process->write('a message');
            $process->read();
        }
        $process->write('end');
        Process::wait();
    },
    'process_start' => static function (): void {
        for ($i = times(60); $i > 0; $i--) {
            (new Process(static fn () => null))->start();
            Process::wait();
        }
    },
    'process_coroutine' => static function (): void {
        for ($i = times(30); $i > 0; $i--) {
            (new Process(static fn () => \Swoole\Coroutine::sleep(0.001), false, 0, true))->start();
            Process::wait();
        }
    },
    'pool' => static function (): void {
        $pool = new Process\Pool(2);
        $ends = new \Swoole\Atomic(0);
        $pool->on('workerStart', static function (Process\Pool $pool) use ($ends): void {
            if ($ends->add(1) > times(40)) {
                $pool->shutdown();
                sleep(1);
            }
        });
        $pool->start();
    },
    'start_stop' => static function (): void {
        for ($i = times(10); $i > 0; $i--) {
            serve(http(static fn ($request, $response) => $response->end('x')), requests("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 2, 1, 1), ['worker_num' => 2]);
        }
    },
    'reload' => static function (): void {
        $starts = new \Swoole\Atomic(0);
        $server = http(static fn ($request, $response) => $response->end('x'));
        $server->on('workerStart', static fn () => $starts->add(1));
        serve($server, static function (int $port, Server $server) use ($starts): void {
            for ($i = 1, $rounds = times(8); $i <= $rounds; $i++) {
                posix_kill($server->master_pid, SIGUSR1);
                for ($deadline = microtime(true) + 10; $starts->get() < 2 * ($i + 1) && microtime(true) < $deadline;) {
                    usleep(1000);
                }
            }
        }, ['worker_num' => 2]);
    },
];
