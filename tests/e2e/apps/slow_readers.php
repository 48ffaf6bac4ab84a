<?php

declare(strict_types=1);

/* Pushes many numbered messages to one WebSocket, from whichever process a message says: JSON of fd, count, size, way. The one who asked is told how they went. */

use Swoole\Http\Request;
use Swoole\Process;
use Swoole\Server\Task;
use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

/** @param array{fd: int, count: int, size: int, asker: int} $wish */
function flood(Server $server, array $wish): void
{
    $seen = ['sent' => [], 'errors' => [], 'warnings' => 0];
    set_error_handler(static function () use (&$seen): bool {
        $seen['warnings']++;
        return true;
    });
    for ($i = 0; $i < $wish['count']; $i++) {
        if ($server->push($wish['fd'], str_pad("$i ", $wish['size'], '.'))) {
            $seen['sent'][] = $i;
        } else {
            $seen['errors'][] = swoole_last_error();
        }
    }
    restore_error_handler();
    $server->push($wish['asker'], (string) json_encode($seen));
}

$server = new Server('127.0.0.1', (int) $argv[1]);
$server->set(json_decode($argv[2] ?? '{}', true) + [
    'worker_num' => 2, 'task_worker_num' => 2, 'task_enable_coroutine' => true, 'max_wait_time' => 1, 'socket_buffer_size' => 1 << 20, 'log_level' => SWOOLE_LOG_WARNING,
]);
$process = new Process(static function (Process $process) use ($server): void {
    while (true) {
        flood($server, json_decode((string) $process->read(), true));
    }
}, false, SOCK_DGRAM, true);
$server->addProcess($process);
$server->on('open', static function (Server $server, Request $request): void {
    $server->push($request->fd, (string) json_encode([$request->fd, $server->worker_id]));
});
$server->on('message', static function (Server $server, Frame $frame) use ($process): void {
    $wish = json_decode($frame->data, true) + ['asker' => $frame->fd];
    match ($wish['way']) {
        'here' => flood($server, $wish),
        'each' => (static function () use ($server, $wish): void {
            for ($i = 0; $i < $wish['count']; $i++) {
                go(static fn (): bool => $server->push($wish['fd'], str_pad("$i ", $wish['size'], '.')));
            }
        })(),
        'task' => $server->task($wish),
        'process' => $process->write((string) json_encode($wish)),
    };
});
$server->on('task', static function (Server $server, mixed ...$given): void {
    flood($server, $given[0] instanceof Task ? $given[0]->data : $given[2]);
});
$server->on('request', static fn ($request, $response) => $response->end('ready'));
$server->start();
