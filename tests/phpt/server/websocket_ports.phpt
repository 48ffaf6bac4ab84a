--TEST--
WebSocket settings of a port count for its connections alone
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../stream_server/peers.inc';

use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

/** @return resource a connection after its handshake */
function web_socket(int $port, array &$head)
{
    $peer = connect_to("tcp://127.0.0.1:$port");
    fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        . "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: soup, bread\r\n\r\n");
    $head = [];
    while (($line = rtrim((string) fgets($peer))) !== '') {
        $head[] = $line;
    }
    return $peer;
}

function send_frame($peer, int $opcode, string $data): void
{
    $length = strlen($data);
    fwrite($peer, chr(0x80 | $opcode) . ($length < 126 ? chr(0x80 | $length) : chr(0x80 | 126) . pack('n', $length)) . "\0\0\0\0" . $data);
}

function read_frame($peer): string
{
    $head = read_all($peer, 2);
    return $head === '' ? 'nothing' : (ord($head[0]) & 15) . ' ' . read_all($peer, ord($head[1]) & 127);
}

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => 1, 'websocket_subprotocol' => 'soup']);
$other = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$other->set(['open_websocket_protocol' => true, 'open_websocket_ping_frame' => true, 'open_websocket_close_frame' => true, 'websocket_subprotocol' => 'bread', 'package_max_length' => 1000]);
$server->on('message', static function (Server $server, Frame $frame): void {
    $server->push($frame->fd, "$frame->opcode " . strlen($frame->data));
});
$ports = [$server->port, $other->port];
serve_peers($server, static function () use ($ports): void {
    foreach ($ports as $port) {
        $head = [];
        $peer = web_socket($port, $head);
        echo implode(' ', preg_grep('/^Sec-WebSocket-Protocol/', $head)), "\n";
        send_frame($peer, 9, 'ping');
        echo read_frame($peer), "\n";
        send_frame($peer, 1, str_repeat('x', 5000));
        $frame = read_frame($peer);
        echo $frame[0] === '8' ? 'closed ' . unpack('n', $frame, 2)[1] : $frame, "\n";
    }
});
?>
--EXPECT--
Sec-WebSocket-Protocol: soup
10 ping
1 1 5000
Sec-WebSocket-Protocol: bread
1 9 4
closed 1009
