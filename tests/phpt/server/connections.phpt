--TEST--
Connections of each port, and what is told of those of another worker
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
use Swoole\WebSocket\Server;

$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 2, 'log_level' => SWOOLE_LOG_WARNING]);
$second = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$server->ports[0]->on('message', static fn () => 1);
$second->on('message', static fn () => 1);
$server->on('request', static function ($request, $response) use ($server): void {
    $fd = (int) ($request->get['fd'] ?? 0);
    $response->end(json_encode([
        'fd' => $request->fd,
        'worker' => $server->worker_id,
        'counts' => [count($server->connections), count($server->ports[0]->connections), count($server->ports[1]->connections)],
        'listed' => in_array($fd, iterator_to_array($server->ports[1]->connections), true),
        'info' => $fd > 0 ? $server->getClientInfo($fd) : null,
    ]));
});
$ports = [$server->port, $second->port];
$out = tempnam(sys_get_temp_dir(), 'out');
$server->on('managerStart', static function (Server $server) use ($ports, $out): void {
    if (pcntl_fork() !== 0) {
        return;
    }
    Swoole\Runtime::enableCoroutine(0);
    $ask = static function ($peer, string $path = '/'): array {
        fwrite($peer, "GET $path HTTP/1.1\r\nHost: a\r\n\r\n");
        $length = 0;
        while (($line = rtrim((string) fgets($peer))) !== '') {
            sscanf($line, 'Content-Length: %d', $length);
        }
        return json_decode((string) fread($peer, $length), true) ?? [];
    };
    $peer = stream_socket_client("tcp://127.0.0.1:$ports[1]");
    fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\n\r\n");
    while (rtrim((string) fgets($peer)) !== '');
    $name = explode(':', stream_socket_get_name($peer, false));
    // The number of the WebSocket connection, and one of another worker to ask about it.
    $others = [];
    $foreign = null;
    for ($i = 0; $i < 200 && $foreign === null; $i++) {
        $other = $others[] = stream_socket_client("tcp://127.0.0.1:$ports[0]");
        $seen = $ask($other);
        for ($fd = 1; $fd < 50 && $foreign === null; $fd++) {
            $told = $ask($other, "/?fd=$fd");
            if (($told['info']['remote_port'] ?? 0) === (int) $name[1] && $told['info']['worker_id'] !== $seen['worker']) {
                $foreign = $told;
            }
        }
    }
    $info = $foreign['info'] ?? [];
    file_put_contents($out, json_encode([
        $foreign['counts'] === [count($others) + 1, count($others), 1], $foreign['listed'], $info['remote_ip'] ?? null, $info['server_port'] === $ports[1],
        $info['websocket_status'] ?? null, abs(($info['connect_time'] ?? 0) - time()) < 60, $info['socket_type'] ?? null,
    ]));
    posix_kill($server->master_pid, SIGTERM);
    posix_kill(getmypid(), SIGKILL);
});
$server->start();
echo file_get_contents($out), "\n";
unlink($out);
?>
--EXPECT--
[true,true,"127.0.0.1",true,3,true,1]
