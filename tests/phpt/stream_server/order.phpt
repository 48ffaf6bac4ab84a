--TEST--
The events of a connection begin in the order of what happened, though their functions wait
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$log = tempnam(sys_get_temp_dir(), 'log');
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'open_eof_split' => true, 'package_eof' => "\n"]);
$server->on('connect', static function (Server $server, int $fd) use ($log): void {
    note($log, 'connect');
    Swoole\Coroutine::sleep(0.05);
    note($log, 'connect ends');
});
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data) use ($log): void {
    note($log, 'receive ' . trim($data));
    Swoole\Coroutine::sleep(0.05);
    $server->send($fd, $data);
});
$server->on('close', static function (Server $server, int $fd, int $reactor) use ($log): void {
    note($log, 'close ' . ($reactor < 0 ? 'by the server' : 'by the client'));
});
$port = $server->port;
serve_peers($server, static function () use ($port, $log): void {
    $peer = connect_to("tcp://127.0.0.1:$port");
    fwrite($peer, "1\n2\n3\n");
    echo strtr(read_all($peer, 6), "\n", ' '), "\n";
    fwrite($peer, "4\n");
    fclose($peer);
    wait_for(static fn (): bool => in_array('close by the client', notes($log), true));
    echo implode("\n", notes($log)), "\n";
});
unlink($log);
?>
--EXPECT--
1 2 3 
connect
receive 1
receive 2
receive 3
connect ends
receive 4
close by the client
