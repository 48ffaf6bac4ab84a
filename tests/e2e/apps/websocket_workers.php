<?php

declare(strict_types=1);

/* Workers that push to each other's connections. A message is a JSON list: what to do, with which connection, with what. */

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

$server = new Server('127.0.0.1', (int) $argv[1]);
$server->set(json_decode($argv[2] ?? '{}', true) + ['worker_num' => 3, 'max_wait_time' => 5]);
$server->on('open', static function (Server $server, Request $request): void {
    $server->push($request->fd, json_encode([$request->fd, $server->worker_id, getmypid()]));
});
$server->on('message', static function (Server $server, Frame $frame): void {
    [$what, $fd, $data] = json_decode($frame->data, true) + [1 => 0, 2 => ''];
    $answer = match ($what) {
        'push' => $server->push($fd, $data),
        'big' => $server->push($fd, str_repeat($data, 300_000), WEBSOCKET_OPCODE_BINARY),
        'many' => array_sum(array_map(static fn (int $i): int => (int) $server->push($fd, "$data $i"), range(1, 2000))),
        'all' => array_sum(array_map(static fn (int $one): int => (int) ($server->isEstablished($one) && $server->push($one, $data)), iterator_to_array($server->connections, false))),
        'several' => (static function (string $a, string $b) use ($server): int {
            $count = 0;
            foreach ([$large = str_pad("large $a", 100_000, $a), str_pad("large $b", 100_000, $b), $large, 'small', str_pad("large $b", 100_000, $b)] as $data) {
                foreach ($server->connections as $one) {
                    $count += (int) $server->push($one, $data);
                }
            }
            return $count;
        })(...$data),
        'known' => [$server->isEstablished($fd), $server->exists($fd), in_array($fd, (array) $server->getClientList(0, 100), true)],
        'disconnect' => $server->disconnect($fd, 4001, $data),
        'close' => $server->close($fd),
        'nobody' => [$server->push($fd, $data), swoole_last_error()],
    };
    $server->push($frame->fd, json_encode($answer));
});
$server->on('request', static function (Request $request, Response $response): void {
    $response->end('http');
});
$server->start();
