--TEST--
A port with open_websocket_protocol speaks WebSocket on an Http\Server and a Server as well: handshake, open, message, close, and frames from all workers
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../stream_server/peers.inc';

use Swoole\Http\{Request, Response};
use Swoole\Server;
use Swoole\WebSocket\Frame;

/** @return array{resource, string} a connection after its handshake, and the first line of the response */
function web_socket(int $port): array
{
    $peer = connect_to("tcp://127.0.0.1:$port");
    fwrite($peer, "GET /path HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        . "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    $head = '';
    while (!str_ends_with($head, "\r\n\r\n") && ($line = fgets($peer)) !== false) {
        $head .= $line;
    }
    $accepted = str_contains($head, 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=') ? ' accepted' : '';
    return [$peer, strtok($head, "\r\n") . $accepted];
}

function send_frame($peer, int $opcode, string $data): void
{
    fwrite($peer, chr(0x80 | $opcode) . chr(0x80 | strlen($data)) . "\0\0\0\0" . $data);
}

function read_frame($peer): string
{
    $head = read_all($peer, 2);
    return $head === '' ? 'nothing' : (ord($head[0]) & 15) . ' ' . read_all($peer, ord($head[1]) & 127);
}

function text(string $data): string
{
    $frame = new Frame();
    $frame->data = $data;
    return (string) $frame;
}

function handshake(Request $request, Response $response): bool
{
    $key = base64_encode(sha1($request->header['sec-websocket-key'] . '258EAFA5-E914-47DA-95CA-C5AB0DC85B11', true));
    foreach (['Upgrade' => 'websocket', 'Connection' => 'Upgrade', 'Sec-WebSocket-Accept' => $key] as $name => $value) {
        $response->header($name, $value);
    }
    $response->status(101);
    return $response->end();
}

foreach ([Swoole\Http\Server::class, Server::class] as $class) {
    $server = new $class('127.0.0.1', 0, SWOOLE_PROCESS);
    $server->set(['worker_num' => 2, 'dispatch_mode' => 2]);
    if ($class === Server::class) {
        $server->on('receive', static fn (Server $server, int $fd, int $from, string $data): bool => $server->send($fd, "stream: $data"));
    } else {
        $server->on('request', static fn (Request $request, Response $response): bool => $response->end('web: ' . $request->server['request_uri']));
    }
    $port = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
    $port->set(['open_http_protocol' => true, 'open_websocket_protocol' => true]);
    $port->on('open', static fn (Server $server, Request $request): bool => $server->send($request->fd, text('open ' . $request->server['request_uri'])));
    $port->on('message', static function (Server $server, Frame $frame): void {
        $info = $server->getClientInfo($frame->fd);
        $server->send($frame->fd, text(get_class($server) . " $frame->opcode $frame->data {$info['websocket_status']}"));
        // Again from the worker that does not have the connection.
        $server->sendMessage([$frame->fd, $frame->data], 1 - $server->worker_id);
    });
    $server->on('pipeMessage', static fn (Server $server, int $from, array $message): bool => $server->send($message[0], text("from the other: $message[1]")));
    $closed = new Swoole\Atomic();
    $port->on('close', static fn () => $closed->add());
    $own = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
    $own->set(['open_websocket_protocol' => true]);
    $own->on('handshake', handshake(...));
    $own->on('message', static fn (Server $server, Frame $frame): bool => $server->send($frame->fd, text("own: $frame->data")));
    [$first, $second, $third] = [$server->port, $port->port, $own->port];
    serve_peers($server, static function () use ($first, $second, $third, $closed): void {
        $peer = connect_to("tcp://127.0.0.1:$first");
        fwrite($peer, "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        echo preg_replace('/.*\r\n/', '', (string) fread($peer, 1000)), "\n";
        [$peer, $status] = web_socket($second);
        echo "$status\n", read_frame($peer), "\n";
        foreach (['one', 'two'] as $data) {
            send_frame($peer, 1, $data);
            echo read_frame($peer), "\n", read_frame($peer), "\n";
        }
        send_frame($peer, 9, 'ping');
        echo read_frame($peer), "\n";
        send_frame($peer, 8, pack('n', 1000));
        echo bin2hex(read_frame($peer)), "\n";
        var_dump(wait_for(static fn (): bool => $closed->get() === 1));
        [$peer, $status] = web_socket($third);
        send_frame($peer, 1, 'three');
        echo "$status\n", read_frame($peer), "\n";
    });
}
?>
--EXPECT--
web: /a
HTTP/1.1 101 Switching Protocols accepted
1 open /path
1 Swoole\Http\Server 1 one 3
1 from the other: one
1 Swoole\Http\Server 1 two 3
1 from the other: two
10 ping
382003e8
bool(true)
HTTP/1.1 101 Switching Protocols accepted
1 own: three

HTTP/1.1 101 Switching Protocols accepted
1 open /path
1 Swoole\Server 1 one 3
1 from the other: one
1 Swoole\Server 1 two 3
1 from the other: two
10 ping
382003e8
bool(true)
HTTP/1.1 101 Switching Protocols accepted
1 own: three
