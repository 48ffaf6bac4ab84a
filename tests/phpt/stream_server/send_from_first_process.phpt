--TEST--
send() to all connections by a timer of the event start, in the first process
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

$server = new Swoole\Server('127.0.0.1', 0);
$server->set(['worker_num' => 2]);
$server->on('receive', static fn () => null);
$told = [];
$server->on('start', function (Swoole\Server $server) use (&$told): void {
    Swoole\Timer::tick(10, function () use ($server, &$told): void {
        foreach ($server->connections as $fd) {
            if (!isset($told[$fd])) {
                $told[$fd] = $server->send($fd, 'hello');
            }
        }
    });
});
$port = $server->port;
serve_peers($server, function () use ($port): void {
    $peers = [];
    for ($i = 0; $i < 4; $i++) {
        $peers[] = connect_to("tcp://127.0.0.1:$port");
    }
    foreach ($peers as $peer) {
        echo read_all($peer, 5), "\n";
    }
});
?>
--EXPECT--
hello
hello
hello
hello
