--TEST--
A connection is reached from the other workers: data in order, files, pause, uid, close
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

// A control connection in each worker runs commands about a connection of the other worker.
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 2, 'open_eof_split' => true, 'package_eof' => "\n"]);
$file = tempnam(sys_get_temp_dir(), 'file');
file_put_contents($file, str_repeat('0123456789', 30000));
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data) use ($file): void {
    [$command, $target] = explode(' ', trim($data)) + ['', '0'];
    $target = (int) $target;
    $result = match ($command) {
        'who' => [$fd, $server->worker_id],
        'send' => array_map(static fn (int $i): bool => $server->send($target, str_repeat(chr(97 + $i), 100000 + $i)), range(0, 19)),
        'large' => $server->send($target, str_repeat('x', 5000000) . 'end'),
        'file' => $server->sendfile($target, $file, 5, 250000),
        'nofile' => @$server->sendfile($target, "$file.none"),
        'pause' => $server->pause($target),
        'resume' => $server->resume($target),
        'bind' => [$server->bind($target, 77), $server->exist($target), $server->getClientInfo($target)['socket_type'] ?? null],
        'uid' => $server->getClientInfo($fd)['uid'] ?? null,
        'list' => $server->getClientList(0, 10),
        'close' => $server->close($target),
        'gone' => [$server->send(999999, 'x'), $server->getLastError(), $server->exist(999999)],
    };
    $server->send($fd, json_encode($result) . "\n");
});
$port = $server->port;
serve_peers($server, static function () use ($port): void {
    $ask = static function ($peer, string $command): mixed {
        fwrite($peer, "$command\n");
        return json_decode(fgets($peer), true);
    };
    // Connections until both workers have one.
    $peers = [];
    $numbers = [];
    while (count($numbers) < 2) {
        $peer = $peers[] = connect_to("tcp://127.0.0.1:$port");
        [$fd, $worker] = $ask($peer, 'who');
        $numbers[$worker] ??= [$fd, $peer];
    }
    [[$fd, $far], [, $near]] = [$numbers[0], $numbers[1]];
    var_dump(array_unique($ask($near, "send $fd")) === [true]);
    $expected = '';
    for ($i = 0; $i < 20; $i++) {
        $expected .= str_repeat(chr(97 + $i), 100000 + $i);
    }
    var_dump(read_all($far, strlen($expected)) === $expected);
    var_dump($ask($near, "large $fd"), read_all($far, 5000003) === str_repeat('x', 5000000) . 'end');
    var_dump($ask($near, "file $fd"), md5(read_all($far, 250000)) === md5(substr(str_repeat('0123456789', 30000), 5, 250000)));
    var_dump($ask($near, "nofile $fd"));
    echo json_encode($ask($near, "bind $fd")), "\n";
    var_dump(wait_for(static fn (): bool => $ask($far, 'uid') === 77));
    var_dump($ask($near, "pause $fd"));
    // The wish is on its way; what comes after it waits for resume().
    usleep(50000);
    fwrite($far, "uid\n");
    $read = [$far];
    $none = null;
    var_dump(stream_select($read, $none, $none, 0, 200000));
    var_dump($ask($near, "resume $fd"), fgets($far));
    $list = $ask($near, 'list');
    var_dump(in_array($fd, $list, true), count($list) === min(10, count($peers)));
    echo json_encode($ask($near, 'gone')), "\n";
    var_dump($ask($near, "close $fd"), fread($far, 10), feof($far));
});
unlink($file);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
[true,true,1]
bool(true)
bool(true)
int(0)
bool(true)
string(3) "77
"
bool(true)
bool(true)
[false,1005,false]
bool(true)
string(0) ""
bool(true)
