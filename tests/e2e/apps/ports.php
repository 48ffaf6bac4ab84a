<?php

declare(strict_types=1);

/*
 * A server of several ports that tells what it knows of a request and its connection.
 * "_host", "_type": of the first port; "_ports": [[host, port, type, settings], ...]; "_events": a file that connect and close are written to.
 */

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

$settings = json_decode($argv[2] ?? '{}', true);
$own = array_filter($settings, static fn (string $name): bool => $name[0] === '_', ARRAY_FILTER_USE_KEY);
$class = ($own['_websocket'] ?? false) ? Server::class : Swoole\Http\Server::class;
$server = new $class($own['_host'] ?? '127.0.0.1', (int) $argv[1], SWOOLE_BASE, $own['_type'] ?? SWOOLE_SOCK_TCP);
if (!$server->set(array_diff_key($settings, $own) + ['worker_num' => 1])) {
    exit(3);
}
foreach ($own['_ports'] ?? [] as [$host, $port, $type, $set]) {
    $listener = $server->listen($host, $port, $type);
    if ($listener === false) {
        exit(4);
    }
    $listener->set($set);
}
$server->on('request', static function (Request $request, Response $response) use ($server): void {
    switch ($request->server['path_info']) {
        case '/request-id':
            $response->end($request->header['x-request-id'] ?? '');
            return;
        case '/stats':
            $response->end(json_encode($server->stats()));
            return;
        case '/environment':
            $response->end(implode(',', array_filter(['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES'], static fn (string $name): bool => getenv($name) !== false)) ?: 'none');
            return;
        case '/pid':
            $response->end((string) getmypid());
            return;
        case '/sleep':
            Coroutine::sleep(2);
            $response->end('slept');
            return;
        case '/never':
            Coroutine::sleep(60);
            return;
        case '/big':
            $response->end(str_repeat('0123456789abcdef', 1 << 16));
            return;
        case '/throw':
            throw new Exception('as asked');
        case '/stream':
            $response->write('one,');
            $response->write('two');
            $response->end();
            return;
        default:
            $response->end(json_encode(['server' => $request->server, 'info' => $server->getClientInfo($request->fd), 'host' => $request->header['host'] ?? null,
                'fd' => $request->fd, 'stream' => $request->streamId]));
    }
});
if ($server instanceof Server) {
    $server->on('message', static fn (Server $server, Frame $frame) => $server->push($frame->fd, json_encode([$frame->data, $server->getClientInfo($frame->fd)['server_port']])));
}
if (isset($own['_events'])) {
    $note = static function (string $event) use ($server, $own): Closure {
        return static function (Swoole\Server $unused, int $fd) use ($server, $own, $event): void {
            $info = $server->getClientInfo($fd);
            file_put_contents($own['_events'], "$event " . ($info ? $info['remote_ip'] . ' ' . $info['remote_port'] : '-') . "\n", FILE_APPEND);
        };
    };
    $server->on('connect', $note('connect'));
    $server->on('close', $note('close'));
}
$server->start();
