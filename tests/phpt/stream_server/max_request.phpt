--TEST--
max_request counts for a connection that is in use: the next worker goes on with it at once; a second close() says that it is closed
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => 1, 'max_request' => 50, 'max_wait_time' => 10, 'open_eof_split' => true, 'package_eof' => "\n"]);
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    if ($data === "close\n") {
        $server->send($fd, str_repeat('x', 7 << 20));
        $seen = [$server->close($fd), $server->close($fd), swoole_last_error() === SWOOLE_ERROR_SESSION_CLOSED];
        file_put_contents('php://stdout', json_encode($seen) . "\n");
        return;
    }
    $server->send($fd, getmypid() . "\n");
});
serve_peers($server, static function () use ($server): void {
    $peer = connect_to("tcp://127.0.0.1:$server->port");
    $pids = [];
    for ($i = 0; $i < 1000; $i++) {
        fwrite($peer, "$i\n");
        $pids[] = fgets($peer);
    }
    $counts = array_count_values($pids);
    var_dump(count($pids) === 1000 && !isset($counts['']), count($counts) > 3, max($counts) < 500);
    fwrite($peer, "close\n");
    while (!feof($peer)) {
        fread($peer, 1 << 20);
    }
});
?>
--EXPECT--
[true,false,true]
bool(true)
bool(true)
bool(true)
