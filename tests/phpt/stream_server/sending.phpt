--TEST--
sendfile(), sendwait(), close() with reset, and what cannot be sent
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$file = tempnam(sys_get_temp_dir(), 'file');
file_put_contents($file, str_repeat('0123456789', 100000));
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'open_eof_split' => true, 'package_eof' => "\n"]);
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data) use ($file): void {
    switch (trim($data)) {
        case 'file':
            $server->send($fd, 'before');
            $server->sendfile($fd, $file);
            $server->sendfile($fd, $file, 999995);
            $server->sendfile($fd, $file, 3, 4);
            $server->send($fd, 'after');
            break;
        case 'wait':
            $done = $server->sendwait($fd, str_repeat('w', 20000000));
            $server->send($fd, json_encode([$done, $server->getClientInfo($fd)['send_queued_bytes']]) . "\n");
            break;
        case 'refused':
            $server->send($fd, json_encode([
                @$server->send($fd, ''), $server->getLastError(), @$server->send(0, 'x'), @$server->send(-1, 'x'), @$server->send('', 'x'),
                @$server->sendfile($fd, "$file.none"), @$server->sendfile($fd, $file, 1000001), @$server->sendfile($fd, '/'), @$server->sendto('127.0.0.1', 99, 'x'),
                @$server->bind($fd, 0), $server->bind($fd, 5), $server->bind($fd, 6), $server->pause(12345), $server->getLastError(),
            ]) . "\n");
            break;
        case 'reset':
            $server->send($fd, str_repeat('r', 30000000));
            $server->close($fd, true);
            break;
        case 'close':
            $server->send($fd, str_repeat('c', 3000000));
            $server->close($fd);
            var_dump($server->send($fd, 'too late'));
            break;
    }
});
$port = $server->port;
serve_peers($server, static function () use ($port): void {
    $peer = connect_to("tcp://127.0.0.1:$port");
    fwrite($peer, "file\n");
    $got = read_all($peer, 6 + 1000000 + 5 + 4 + 5);
    var_dump(substr($got, 0, 12), substr($got, -20), strlen($got));
    fwrite($peer, "wait\n");
    var_dump(strlen(read_all($peer, 20000000)), fgets($peer));
    fwrite($peer, "refused\n");
    echo fgets($peer);
    fwrite($peer, "close\n");
    var_dump(strlen(stream_get_contents($peer)));
    // A reset drops what was not sent: the client sees an error, or an end before the last byte.
    $peer = connect_to("tcp://127.0.0.1:$port");
    fwrite($peer, "reset\n");
    usleep(10000);
    var_dump(strlen((string) @stream_get_contents($peer)) < 30000000);
});
unlink($file);
?>
--EXPECT--
bool(false)
string(12) "before012345"
string(20) "456789567893456after"
int(1000020)
int(20000000)
string(9) "[true,0]
"
[false,550,false,false,false,false,false,false,false,false,true,false,false,1005]
int(3000000)
bool(true)
