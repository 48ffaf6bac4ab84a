--TEST--
A packet above package_max_length closes its connection, and what came before it is handled
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$log = tempnam(sys_get_temp_dir(), 'log');
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'open_length_check' => true, 'package_length_type' => 'N', 'package_body_offset' => 4, 'package_max_length' => 1000]);
$larger = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$larger->set(['open_length_check' => true, 'package_length_type' => 'N', 'package_body_offset' => 4, 'package_max_length' => 2000]);
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    $server->send($fd, strlen($data) . ';');
});
$server->on('close', static function (Server $server, int $fd, int $reactor) use ($log): void {
    note($log, 'closed');
});
$ports = [$server->port, $larger->port];
serve_peers($server, static function () use ($ports, $log): void {
    foreach ($ports as $i => $port) {
        $peer = connect_to("tcp://127.0.0.1:$port");
        fwrite($peer, pack('N', 996) . str_repeat('a', 996) . pack('N', 997) . 'bb');
        echo $i === 0 ? stream_get_contents($peer) : read_all($peer, 5), "\n";
        if ($i === 0) {
            var_dump(wait_for(static fn (): bool => notes($log) === ['closed']));
        }
    }
});
unlink($log);
?>
--EXPECT--
1000;
bool(true)
1000;
