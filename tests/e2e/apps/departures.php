<?php

declare(strict_types=1);

/*
 * What a process of a server that is replaced, stopped or killed is owed: its timers, the results of its tasks, a successor at once.
 * "_events" is a file that gets a line for each thing that happened.
 */

use Swoole\Event;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Timer;
use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

$settings = json_decode($argv[2] ?? '{}', true);
$events = $settings['_events'];
$server = new Server('127.0.0.1', (int) $argv[1]);
$server->set(array_filter($settings, static fn (string $name): bool => $name[0] !== '_', ARRAY_FILTER_USE_KEY));
$note = static fn (string $line) => file_put_contents($events, "$line\n", FILE_APPEND | LOCK_EX);
$ticks = [];

$server->on('workerStart', static fn (Server $server, int $id) => $note("start $id"));
$server->on('workerExit', static function (Server $server, int $id) use ($note, &$ticks): void {
    $note("exit $id");
    array_map(Timer::clear(...), $ticks);
    $ticks = [];
});
$server->on('workerStop', static fn (Server $server, int $id) => $note("stop $id"));
$server->on('task', static function (Server $server, int $id, int $worker, mixed $data) {
    if ($data === 'crash') {
        Swoole\Process::kill(getmypid(), SIGKILL);
    }
    usleep((int) $data * 1000);
    return "result $data";
});
$server->on('finish', static fn (Server $server, int $id, string $result) => $note("finish $result"));
$server->on('message', static fn (Server $server, Frame $frame) => $server->push($frame->fd, $frame->data));
$server->on('request', static function (Request $request, Response $response) use ($server, $note, &$ticks): void {
    $wait = (int) ($request->get['ms'] ?? 0);
    switch ($request->server['path_info']) {
        case '/crash':
            Swoole\Process::kill(getmypid(), SIGSEGV);
            break;
        case '/timer':
            Timer::after($wait, static fn () => $note('timer'));
            break;
        case '/tick':
            $ticks[] = Timer::tick(20, static fn () => null);
            break;
        case '/watch':
            [$near, $far] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
            Event::add($near, static function ($near) use ($note): void {
                Event::del($near);
                $note('watch');
            });
            Timer::after($wait, static fn () => fwrite($far, 'x'));
            break;
        case '/task':
            $server->task($request->get['data'] ?? $wait);
            break;
        case '/task-callback':
            $server->task($wait, -1, static fn (Server $server, int $id, string $result) => $note("callback $result"));
            break;
        case '/task-wait':
            $response->end(var_export($server->taskwait($request->get['data'] ?? $wait, 5), true));
            return;
    }
    $response->end((string) getmypid());
});
$server->start();
