--TEST--
A client that does not read: the events bufferFull and bufferEmpty, senders that wait, and those that cannot
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$log = tempnam(sys_get_temp_dir(), 'log');
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'socket_buffer_size' => 1 << 20, 'buffer_high_watermark' => 500000, 'buffer_low_watermark' => 1000,
    'kernel_socket_send_buffer_size' => 65536]);
$server->on('receive', static function (Server $server, int $fd) use ($log): void {
    for ($i = 0; $i < 40; $i++) {
        if (!$server->send($fd, str_repeat(chr(65 + $i), 1 << 20))) {
            note($log, "not sent: $i");
        }
    }
    note($log, 'all sent');
});
$server->on('bufferFull', static fn (Server $server, int $fd) => note($log, 'full'));
$server->on('bufferEmpty', static fn (Server $server, int $fd) => note($log, 'empty'));
$server->on('close', static fn (Server $server, int $fd) => note($log, 'closed'));
$port = $server->port;
serve_peers($server, static function () use ($port, $log): void {
    $peer = connect_to("tcp://127.0.0.1:$port");
    fwrite($peer, 'go');
    var_dump(wait_for(static fn (): bool => notes($log) === ['full']));
    $got = read_all($peer, 40 << 20);
    var_dump(strlen($got));
    for ($i = 0; $i < 40; $i++) {
        if (substr($got, $i << 20, 1 << 20) !== str_repeat(chr(65 + $i), 1 << 20)) {
            echo "piece $i is wrong\n";
        }
    }
    var_dump(wait_for(static fn (): bool => in_array('all sent', notes($log), true) && array_count_values(notes($log))['empty'] === array_count_values(notes($log))['full']));
    $order = array_values(array_diff(notes($log), ['all sent']));
    var_dump($order === array_merge(...array_fill(0, intdiv(count($order), 2), ['full', 'empty'])));
    // Whoever waits is woken by the end of the connection.
    file_put_contents($log, '');
    fwrite($peer, 'go');
    wait_for(static fn (): bool => notes($log) === ['full']);
    fclose($peer);
    var_dump(wait_for(static fn (): bool => in_array('all sent', notes($log), true)));
    $lines = notes($log);
    var_dump(in_array('closed', $lines, true), in_array('not sent: 39', $lines, true));
});
file_put_contents($log, '');
$refusing = new Server('127.0.0.1', 0);
$refusing->set(['worker_num' => 1, 'send_yield' => false]);
$refusing->on('receive', static function (Server $server, int $fd) use ($log): void {
    for ($i = 0; @$server->send($fd, str_repeat('x', 1 << 20)); $i++);
    note($log, 'refused ' . $server->getLastError() . ($i >= 8 ? ' late' : ' early'));
    note($log, @$server->send($fd, 'x') ? 'taken' : 'refused again');
});
$port = $refusing->port;
serve_peers($refusing, static function () use ($port, $log): void {
    $peer = connect_to("tcp://127.0.0.1:$port");
    fwrite($peer, 'go');
    wait_for(static fn (): bool => count(notes($log)) === 2);
    echo implode(', ', notes($log)), "\n";
});
unlink($log);
?>
--EXPECT--
bool(true)
int(41943040)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
refused 1009 late, refused again
