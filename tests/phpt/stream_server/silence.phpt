--TEST--
Silent connections are closed: heartbeat_idle_time, max_idle_time of a port, protect() and heartbeat()
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'heartbeat_idle_time' => 1, 'heartbeat_check_interval' => 1]);
$short = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$short->set(['heartbeat_idle_time' => 0, 'heartbeat_check_interval' => 0, 'max_idle_time' => 0.3]);
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    if ($data === 'protect') {
        $server->protect($fd);
    }
    if ($data === 'list') {
        $server->send($fd, json_encode([$server->heartbeat(false), $fd]));
        return;
    }
    $server->send($fd, 'ok');
});
$ports = [$server->port, $short->port];
serve_peers($server, static function () use ($ports): void {
    $begin = microtime(true);
    $peers = [];
    foreach (['hello', 'protect'] as $word) {
        $peers[] = $peer = connect_to("tcp://127.0.0.1:$ports[0]");
        fwrite($peer, $word);
        read_all($peer, 2);
    }
    $quick = connect_to("tcp://127.0.0.1:$ports[1]");
    fread($quick, 10);
    $first = microtime(true) - $begin;
    var_dump(feof($quick), $first > 0.2 && $first < 0.9);
    fread($peers[0], 10);
    $second = microtime(true) - $begin;
    var_dump(feof($peers[0]), $second > 0.9 && $second < 3);
    // The protected one is still there, and not named.
    fwrite($peers[1], 'hello');
    var_dump(read_all($peers[1], 2));
    fwrite($peers[1], 'list');
    var_dump(json_decode(fread($peers[1], 100))[0]);
});
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
string(2) "ok"
array(0) {
}
