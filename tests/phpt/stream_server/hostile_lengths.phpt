--TEST--
Lengths of packets that lie, end marks that never come: the connection is closed without memory for it, others go on
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$log = tempnam(sys_get_temp_dir(), 'log');
$kinds = [
    // type, where the body begins, bytes, what is to be handled before the end
    ['N', 4, pack('N', 0) . pack('N', 1) . 'x' . pack('N', 0x7fffffff) . 'rest', '4;5;'],
    ['N', 4, pack('N', 0xffffffff), ''],
    ['N', 4, pack('N', 1 << 20), ''],
    ['N', 0, pack('N', 0), ''],
    ['N', 0, pack('N', 3), ''],
    ['N', -4, pack('N', 4), ''],
    ['l', 4, pack('l', -1), ''],
    ['l', 4, pack('l', PHP_INT_MIN >> 32), ''],
    ['s', 2, pack('s', -32768), ''],
    ['c', 1, "\x80", ''],
    ['q', 8, pack('q', PHP_INT_MIN), ''],
    ['q', 8, pack('q', PHP_INT_MAX), ''],
    ['J', 8, str_repeat("\xff", 8), ''],
    ['P', 8, pack('P', PHP_INT_MAX - 4), ''],
];
$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => 1, 'log_file' => '/dev/null', 'package_max_length' => 1 << 20]);
$ports = [];
foreach ($kinds as [$type, $body]) {
    $port = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
    $port->set(['open_length_check' => true, 'package_length_type' => $type, 'package_length_offset' => 0, 'package_body_offset' => $body]);
    $ports[] = $port->port;
}
foreach ([-1, PHP_INT_MAX, PHP_INT_MIN, 'none'] as $size) {
    $port = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
    $port->set(['open_length_check' => true, 'package_length_func' => static fn (string $data): int => is_int($size) ? $size : throw new Exception('no size')]);
    $ports[] = $port->port;
    $kinds[] = ['function', 0, 'abc', ''];
}
foreach (['open_eof_split' => 'ab', 'open_eof_check' => 'cd'] as $option => $mark) {
    $port = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
    $port->set(['open_eof_check' => true, $option => true, 'package_eof' => $mark]);
    $ports[] = $port->port;
    // Without splitting a packet ends where the mark is the last that has come.
    $kinds[] = ['mark', 0, 'first' . $mark . str_repeat('a', (1 << 20) + 1), $option === 'open_eof_split' ? '7;' : ''];
}
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    $server->send($fd, strlen($data) . ';');
    $data === 'memory' && $server->send($fd, memory_get_peak_usage());
});
$server->on('close', static fn () => note($log, 'closed'));
$first = $server->port;
serve_peers($server, static function () use ($kinds, $ports, $first, $log): void {
    $resident = static function () use ($first): int {
        $peer = connect_to("tcp://127.0.0.1:$first");
        fwrite($peer, 'memory');
        return (int) ltrim(strstr(read_all($peer, 2) . fread($peer, 100), ';'), ';');
    };
    $before = $resident();
    foreach ($kinds as $i => [$type, $body, $bytes, $expected]) {
        // Twenty at once, each ends by itself.
        $peers = array_map(static fn (): mixed => connect_to("tcp://127.0.0.1:$ports[$i]"), range(1, 20));
        foreach ($peers as $peer) {
            stream_set_blocking($peer, false);
        }
        foreach ($peers as $n => $peer) {
            for ($sent = 0, $end = hrtime(true) + 10e9; $sent < strlen($bytes) && hrtime(true) < $end;) {
                $taken = @fwrite($peer, substr($bytes, $sent, 65536));
                if ($taken === false) {
                    break;
                }
                $sent += $taken;
            }
            stream_set_blocking($peer, true);
            $got = read_all($peer, strlen($expected) + 1);
            if ($got !== $expected || !feof($peer)) {
                echo "$i ($type, $body): ", json_encode($got), feof($peer) ? '' : ', still open', "\n";
                break;
            }
        }
    }
    var_dump(wait_for(static fn (): bool => count(notes($log)) === 20 * count($kinds) + 1));
    var_dump($resident() - $before < 8 << 20);
});
unlink($log);
?>
--EXPECT--
bool(true)
bool(true)
