--TEST--
getClientInfo() in the functions of close and disconnect: whose connection it was
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
use Swoole\Server;

require __DIR__ . '/peers.inc';

$told = tempnam(sys_get_temp_dir(), 'told');
$tell = static function (string $event) use ($told): Closure {
    return static function (Server $server, int $fd) use ($event, $told): void {
        $info = $server->getClientInfo($fd);
        Co::sleep(0.001); // also when it waits
        $same = $info !== false && $info['remote_port'] === ($server->getClientInfo($fd)['remote_port'] ?? 0);
        file_put_contents($told, json_encode([
            $event, $info['remote_port'] ?? 0, $info['websocket_status'] ?? 0, $info['uid'] ?? 0, $same, $server->exists($fd),
        ]) . "\n", FILE_APPEND);
    };
};
$after = static function (int $lines) use ($told): array {
    wait_for(static fn (): bool => count(file($told)) >= $lines);
    $all = array_map(json_decode(...), file($told));
    file_put_contents($told, '');
    return $all;
};
$number = static fn ($peer): int => (int) substr(strrchr(stream_socket_get_name($peer, false), ':'), 1);

$server = new Swoole\WebSocket\Server('127.0.0.1', 0);
$server->set(['worker_num' => 1]);
$server->on('message', static fn (Server $server, $frame) => $server->disconnect($frame->fd));
$server->on('close', $tell('close'));
$server->on('disconnect', $tell('disconnect'));
$stream = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$stream->set(['open_websocket_protocol' => false, 'open_http_protocol' => false]);
$stream->on('receive', static fn (Server $server, int $fd) => $server->bind($fd, 7) && $server->send($fd, '.'));
$stream->on('close', $tell('close of a stream'));
$ports = [$server->port, $stream->port];
serve_peers($server, static function () use ($ports, $after, $number): void {
    $check = static function (string $what, $peer, callable $end) use ($after, $number): void {
        $port = $number($peer);
        $end($peer);
        [[$event, $from, $status, $uid, $same, $exists]] = $after(1);
        printf("%s: %s, %s, status %d, uid %d\n", $what, $event, $from === $port && $same && !$exists ? 'right' : 'wrong', $status, $uid);
    };
    $upgraded = static function () use ($ports) {
        $peer = connect_to("tcp://127.0.0.1:$ports[0]");
        fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\n\r\n");
        while (rtrim((string) fgets($peer)) !== '');
        return $peer;
    };
    $check('without a handshake', connect_to("tcp://127.0.0.1:$ports[0]"), fclose(...));
    $check('vanished', $upgraded(), fclose(...));
    $check('closed by the server', $upgraded(), static function ($peer): void {
        fwrite($peer, "\x81\x80aaaa");
        read_all($peer, 4);
        fclose($peer);
    });
    $peer = connect_to("tcp://127.0.0.1:$ports[1]");
    fwrite($peer, 'a');
    read_all($peer, 1);
    $check('a stream', $peer, fclose(...));
});

// One worker has all events, whoever has accepted the connection.
$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => 2, 'dispatch_func' => static fn (): int => 1]);
$server->on('receive', static fn (Server $server, int $fd) => $server->send($fd, '.'));
$server->on('close', $tell('close'));
$port = $server->port;
serve_peers($server, static function () use ($port, $after, $number): void {
    $peers = array_map(static fn () => connect_to("tcp://127.0.0.1:$port"), range(1, 8));
    foreach ($peers as $peer) {
        fwrite($peer, 'a');
        read_all($peer, 1);
    }
    $expected = array_map($number, $peers);
    array_map(fclose(...), $peers);
    $all = $after(8);
    $seen = array_column($all, 1);
    sort($expected);
    sort($seen);
    var_dump($seen === $expected, array_unique(array_column($all, 4)) === [true]);
});
unlink($told);
?>
--EXPECT--
without a handshake: disconnect, right, status 1, uid 0
vanished: close, right, status 3, uid 0
closed by the server: close, right, status 3, uid 0
a stream: close of a stream, right, status 0, uid 7
bool(true)
bool(true)
