<?php

declare(strict_types=1);

namespace Stampede\Bench\Sweep;

use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

$server = static function (callable $handler): Server {
    $server = new Server('127.0.0.1', 0);
    $server->on('message', $handler);
    return $server;
};
$echo = static function (Server $server, Frame $frame): void {
    $server->push($frame->fd, $frame->data, $frame->opcode);
};
$client = static fn (string $frame, int $count, int $connections, string $fields = ''): callable => static function (int $port) use ($frame, $count, $connections, $fields): void {
    $sockets = array_map(static fn () => websocket($port, $fields), range(1, $connections));
    for ($done = 0; $done < $count; $done += $connections) {
        foreach ($sockets as $socket) {
            write($socket, $frame);
        }
        array_map(read_frame(...), $sockets);
    }
};

return [
    'text' => static fn () => serve($server($echo), $client(frame('a short text'), times(20000), 4)),
    'text_10k' => static fn () => serve($server($echo), $client(frame(str_repeat('0123456789', 1000)), times(8000), 4)),
    'binary_1m' => static fn () => serve($server(static fn (Server $server, Frame $frame) => $server->push($frame->fd, (string) strlen($frame->data))), $client(frame(str_repeat('x', 1 << 20), 0x82), times(600), 1)),
    'deflate' => static fn () => serve($server(static function (Server $server, Frame $frame): void {
        $server->push($frame->fd, str_repeat("some text of the server, {$frame->fd}\n", 100), WEBSOCKET_OPCODE_TEXT, SWOOLE_WEBSOCKET_FLAG_FIN | SWOOLE_WEBSOCKET_FLAG_COMPRESS);
    }), $client(frame('next'), times(6000), 4, "Sec-WebSocket-Extensions: permessage-deflate\r\n"), ['websocket_compression' => true]),
    'deflate_many' => static fn () => serve($server(static function (Server $server, Frame $frame): void {
        $server->push($frame->fd, str_repeat("some text of the server, {$frame->fd}\n", 100), WEBSOCKET_OPCODE_TEXT, SWOOLE_WEBSOCKET_FLAG_FIN | SWOOLE_WEBSOCKET_FLAG_COMPRESS);
    }), $client(frame('next'), times(4000), times(200), "Sec-WebSocket-Extensions: permessage-deflate\r\n"), ['websocket_compression' => true]),
    'broadcast' => static fn () => serve($server(static function (Server $server, Frame $frame): void {
        foreach ($server->connections as $fd) {
            $server->push($fd, $frame->data);
        }
    }), static function (int $port): void {
        $sockets = array_map(static fn () => websocket($port), range(1, 50));
        for ($i = times(300); $i > 0; $i--) {
            write($sockets[0], frame('for everybody'));
            array_map(read_frame(...), $sockets);
        }
    }),
    'handshakes' => static fn () => serve($server($echo), static function (int $port): void {
        for ($i = times(2500); $i > 0; $i--) {
            websocket($port);
        }
    }),
    'pings' => static fn () => serve($server($echo), $client(frame('ping', 0x89), times(20000), 4)),
];
