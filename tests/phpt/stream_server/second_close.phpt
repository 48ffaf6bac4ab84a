--TEST--
A second close() of a connection whose last bytes are still being sent says that it is closed
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => 1]);
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    $server->send($fd, str_repeat('x', 7 << 20));
    $seen = [$server->close($fd), $server->close($fd), swoole_last_error() === SWOOLE_ERROR_SESSION_CLOSED];
    file_put_contents('php://stdout', json_encode($seen) . "\n");
});
serve_peers($server, static function () use ($server): void {
    $peer = connect_to("tcp://127.0.0.1:$server->port");
    fwrite($peer, 'close');
    for ($size = 0; !feof($peer); $size += strlen((string) fread($peer, 1 << 20)));
    var_dump($size);
});
?>
--EXPECT--
[true,false,true]
int(7340032)
