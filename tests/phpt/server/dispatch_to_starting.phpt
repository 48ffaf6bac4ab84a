--TEST--
dispatch_func and a worker that is still starting, or is being replaced: what is for it waits for it
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../stream_server/peers.inc';

use Swoole\Http\{Request, Response, Server};

$gate = tempnam(sys_get_temp_dir(), 'gate');  // worker 1 starts as often as it has bytes
$starts = tempnam(sys_get_temp_dir(), 'starts');

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set([
    'worker_num' => 2, 'package_max_length' => 4 << 20,
    'dispatch_func' => static fn (Server $server, int $fd, int $type, string $data): int => (int) preg_match('~^\w+ /1~', $data),
]);
$server->on('workerStart', static function (Server $server, int $id) use ($gate, $starts): void {
    if ($id !== 1) {
        return;
    }
    file_put_contents($starts, 'x', FILE_APPEND);
    $number = strlen(file_get_contents($starts));
    wait_for(static fn (): bool => strlen(file_get_contents($gate)) >= $number);
});
$server->on('request', static function (Request $request, Response $response) use ($server): void {
    if ($request->server['request_uri'] === '/1/end') {
        posix_kill(getmypid(), SIGKILL);
    }
    $response->end("$server->worker_id " . strlen((string) $request->rawContent()) . ' ');
});
$tcp = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$tcp->set(['open_eof_split' => true, 'package_eof' => "\n"]);
$tcp->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    $server->send($fd, "$server->worker_id " . trim($data) . "\n");
});
serve_peers($server, static function () use ($server, $tcp, $gate, $starts): void {
    $send = static function (string $path, string $body = ''): mixed {
        global $server;
        $peer = connect_to("tcp://127.0.0.1:$server->port");
        fwrite($peer, "POST $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body");
        return $peer;
    };
    $body = static fn ($peer): string => substr(strrchr((string) stream_get_contents($peer), "\n"), 1);
    $round = static function () use ($send, $body, $tcp, $gate, $starts): void {
        $starting = strlen(file_get_contents($gate)) + 1;
        wait_for(static fn (): bool => strlen(file_get_contents($starts)) >= $starting);
        $one = $send('/1/');
        $large = $send('/1/', str_repeat('x', 150_000));
        $half = $send('/1/', 'half');
        stream_socket_shutdown($half, STREAM_SHUT_WR);
        $stream = connect_to("tcp://127.0.0.1:$tcp->port");
        fwrite($stream, "X /1 a\n");
        // The others are not kept.
        for ($i = 0; $i < 20; $i++) {
            echo $i === 0 ? $body($send('/0/')) : trim($body($send('/0/')), '0 ');
        }
        file_put_contents($gate, 'x', FILE_APPEND);
        echo $body($one), $body($large), $body($half), fgets($stream), fwrite($stream, "X /0 b\n"), fgets($stream);
    };
    $round();
    echo strlen(stream_get_contents($send('/1/end'))), "\n";
    $round();
});
array_map(unlink(...), [$gate, $starts]);
?>
--EXPECTF--
[%s]	ERROR	worker 1 (pid %d) was ended by signal 9 (Killed)
[%s]	ERROR	lost with worker 1: "POST /1/end" on connection %d, after %d ms
0 0 1 0 1 150000 1 4 1 X /1 a
70 X /0 b
0
0 0 1 0 1 150000 1 4 1 X /1 a
70 X /0 b
