--TEST--
enable_delay_receive, pause() and resume()
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$log = tempnam(sys_get_temp_dir(), 'log');
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'enable_delay_receive' => true, 'open_eof_split' => true, 'package_eof' => "\n"]);
$server->on('connect', static function (Server $server, int $fd) use ($log): void {
    Swoole\Coroutine::sleep(0.1);
    note($log, 'confirmed');
    var_dump($server->confirm($fd));
});
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data) use ($log): void {
    note($log, trim($data));
    if ($data === "2\n") {
        $server->pause($fd);
        Swoole\Timer::after(100, static function () use ($server, $fd, $log): void {
            note($log, 'resumed');
            $server->resume($fd);
        });
    }
});
$port = $server->port;
serve_peers($server, static function () use ($port, $log): void {
    $peer = connect_to("tcp://127.0.0.1:$port");
    fwrite($peer, "1\n2\n3\n");
    wait_for(static fn (): bool => in_array('2', notes($log), true));
    fwrite($peer, "4\n");
    wait_for(static fn (): bool => in_array('4', notes($log), true));
    echo implode(' ', notes($log)), "\n";
});
unlink($log);
?>
--EXPECT--
bool(true)
confirmed 1 2 3 resumed 4
