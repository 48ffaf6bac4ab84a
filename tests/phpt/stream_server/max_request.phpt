--TEST--
max_request counts for a connection that is in use: the next worker goes on with it at once
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
    // A worker that waited for a moment of rest would serve all of them.
    var_dump(count($pids) === 1000 && !isset($counts['']), count($counts) > 1);
});
?>
--EXPECT--
bool(true)
bool(true)
