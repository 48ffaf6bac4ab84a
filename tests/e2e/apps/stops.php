<?php

declare(strict_types=1);

/* Serves requests that take a moment, a second, or as long as their client stays. */

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

$server = new Server('127.0.0.1', (int) $argv[1], ($argv[3] ?? '') === 'process' ? SWOOLE_PROCESS : SWOOLE_BASE);
$server->set(json_decode($argv[2] ?? '{}', true) + ['worker_num' => 2, 'log_level' => SWOOLE_LOG_WARNING, 'open_http2_protocol' => true]);
$server->on('request', static function (Request $request, Response $response): void {
    match ($request->server['request_uri']) {
        '/moment' => Coroutine::sleep(random_int(1, 8) / 1000),
        '/second' => Coroutine::sleep(1.0),
        '/seconds' => Coroutine::sleep(4.0),
        default => null,
    };
    $response->end('served');
});
$server->on('message', static fn (Server $server, Frame $frame): bool => $server->push($frame->fd, $frame->data));
$server->start();
