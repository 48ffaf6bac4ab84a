<?php

declare(strict_types=1);

/*
 * A WebSocket server that answers what it is told. "_handshake": it answers the opening handshake itself; "_before": it adds to the
 * server's answer; "_no_http": no event request.
 */

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\WebSocket\CloseFrame;
use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

$settings = json_decode($argv[2] ?? '{}', true);
$own = array_filter($settings, static fn (string $name): bool => $name[0] === '_', ARRAY_FILTER_USE_KEY);
$server = new Server('127.0.0.1', (int) $argv[1]);
$server->set(array_diff_key($settings, $own) + ['worker_num' => 1]);
$seen = [];
if (isset($own['_handshake'])) {
    $server->on('handshake', static function (Request $request, Response $response): bool {
        if (!isset($request->get['token'])) {
            $response->status(403);
            $response->end('no token');
            return false;
        }
        $key = $request->header['sec-websocket-key'];
        $response->header('Upgrade', 'websocket');
        $response->header('Connection', 'Upgrade');
        $response->header('Sec-WebSocket-Accept', base64_encode(sha1($key . '258EAFA5-E914-47DA-95CA-C5AB0DC85B11', true)));
        $response->header('Sec-WebSocket-Protocol', 'chat');
        $response->status(101);
        $response->end();
        return true;
    });
} else {
    if (isset($own['_before'])) {
        $server->on('beforeHandshakeResponse', static function (Server $server, Request $request, Response $response): void {
            if (($request->header['origin'] ?? 'good') !== 'good') {
                $response->status(403);
                $response->end('not from there');
                return;
            }
            Coroutine::sleep(0.001);
            match ($request->get['what'] ?? '') {
                'throw' => throw new RuntimeException('in the handshake'),
                'exit' => exit(1),
                default => $response->header('X-Fd', (string) $request->fd),
            };
            $response->header('Sec-WebSocket-Protocol', 'chosen');
            $response->cookie('seen', 'yes');
        });
    }
    $server->on('open', static function (Server $server, Request $request): void {
        $server->push($request->fd, 'open ' . $request->server['request_uri'] . ' ' . ($request->get['name'] ?? '') . ' ' . json_encode($server->isEstablished($request->fd)));
    });
}
$server->on('message', static function (Server $server, Frame $frame) use (&$seen): void {
    if ($frame instanceof CloseFrame) {
        $seen[] = "closed $frame->code $frame->reason";
        return;
    }
    [$word, $rest] = explode(' ', $frame->data, 2) + [1 => ''];
    switch ($word) {
        case 'sleep':
            Coroutine::sleep(0.2);
            $server->push($frame->fd, 'slept');
            return;
        case 'binary':
            $server->push($frame->fd, strrev($rest), WEBSOCKET_OPCODE_BINARY);
            return;
        case 'big':
            $server->push($frame->fd, str_repeat('b', (int) $rest));
            return;
        case 'close':
            $server->close($rest === '' ? $frame->fd : (int) $rest);
            return;
        case 'who':
            $info = $server->getClientInfo($frame->fd);
            $server->push($frame->fd, json_encode([$frame->fd, $info['remote_ip'] ?? null, $server->exists($frame->fd), count(iterator_to_array($server->connections, false))]));
            return;
        case 'status':
            $server->push($frame->fd, json_encode($server->getClientInfo($rest === '' ? $frame->fd : (int) $rest)['websocket_status'] ?? null));
            return;
        case 'disconnect':
            $server->disconnect($frame->fd, 4001, 'as you wish');
            return;
        case 'throw':
            throw new RuntimeException('in a message');
        case 'others':
            $number = 0;
            foreach ($server->connections as $fd) {
                if ($fd !== $frame->fd && $server->isEstablished($fd)) {
                    $number += (int) $server->push($fd, $rest);
                }
            }
            $server->push($frame->fd, "told $number");
            return;
        case 'all':
        case 'squeezed':
            $flags = SWOOLE_WEBSOCKET_FLAG_FIN | ($word === 'squeezed' ? SWOOLE_WEBSOCKET_FLAG_COMPRESS : 0);
            foreach (array_merge([str_repeat("$rest ", 2000)], explode(',', $rest)) as $data) {
                foreach ($server->connections as $fd) {
                    $server->push($fd, $data, SWOOLE_WEBSOCKET_OPCODE_TEXT, $flags);
                }
            }
            return;
        case 'unknown':
            $server->push($frame->fd, json_encode([$server->push(999999, 'x'), $server->getLastError(), $server->disconnect(999999)]));
            return;
        case 'seen':
            $server->push($frame->fd, json_encode($seen));
            $seen = [];
            return;
        default:
            $server->push($frame->fd, "$frame->opcode " . json_encode($frame->finish) . ' ' . strlen($frame->data) . ' ' . md5($frame->data));
    }
});
$server->on('close', static function (Server $server, int $fd) use (&$seen): void {
    $seen[] = 'close ' . json_encode($server->isEstablished($fd));
});
if (isset($own['_disconnect'])) {
    $server->on('disconnect', static function () use (&$seen): void {
        $seen[] = 'disconnect';
    });
}
if (!isset($own['_no_http'])) {
    $server->on('request', static fn (Request $request, Response $response) => $response->end(
        $request->server['request_uri'] === '/status' ? json_encode($server->getClientInfo($request->fd)['websocket_status'] ?? null) : 'plain'
    ));
}
$server->start();
