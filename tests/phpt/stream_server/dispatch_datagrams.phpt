--TEST--
dispatch_func says which worker gets a datagram
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS, SWOOLE_SOCK_UDP);
$server->set(['worker_num' => 3, 'dispatch_func' => static function (Server $server, int $fd, int $type, string $data): int {
    return match (true) {
        $type !== 1 || $fd <= 2 => 99,
        $data === 'discard' => SWOOLE_DISPATCH_RESULT_DISCARD_PACKET,
        $data === 'here' => SWOOLE_DISPATCH_RESULT_USERFUNC_FALLBACK,
        default => ((int) strtok($data, ' ')) % 3,
    };
}]);
$server->on('packet', static function (Server $server, string $data, array $from): void {
    $server->sendto($from['address'], $from['port'], json_encode([$server->worker_id, strlen($data), substr($data, 0, 8), $from['server_socket'] > 2, $from['server_port'] === $server->port]));
});
$port = $server->port;
serve_peers($server, static function () use ($port): void {
    $peer = stream_socket_client("udp://127.0.0.1:$port");
    stream_set_timeout($peer, 10);
    $ask = static function (string $data) use ($peer): array {
        fwrite($peer, $data);
        return json_decode((string) fread($peer, 1000), true);
    };
    // A worker that has not started yet cannot be meant.
    for ($worker = 0; $worker < 3; $worker++) {
        wait_for(static fn (): bool => $ask("$worker first")[0] === $worker);
    }
    $wrong = 0;
    for ($i = 0; $i < 60; $i++) {
        $wrong += $ask("$i line") === [$i % 3, strlen("$i line"), substr("$i line", 0, 8), true, true] ? 0 : 1;
    }
    echo "wrong: $wrong\n";
    $large = $ask('2 ' . str_repeat('x', 65000));
    echo json_encode($large), "\n";
    echo in_array($ask('here')[0], [0, 1, 2], true) ? "handled where it came\n" : "lost\n";
    fwrite($peer, 'discard');
    echo json_encode($ask('1 after')), "\n";
});
?>
--EXPECT--
wrong: 0
[2,65002,"2 xxxxxx",true,true]
handled where it came
[1,7,"1 after",true,true]
