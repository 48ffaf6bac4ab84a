--TEST--
Packets end as the settings of their port say, however their bytes are cut
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$mqtt = static fn (string $body): string => "\x30" . chr(strlen($body)) . $body;
$length = static fn (string $body): string => pack('n', strlen($body)) . $body;
$kinds = [
    [['open_eof_check' => true, 'open_eof_split' => true, 'package_eof' => "\r\n"], ["one\r\n", "\r\n", "th\rree\r\n"]],
    [['open_length_check' => true, 'package_length_type' => 'n', 'package_body_offset' => 2], [$length('a'), $length(str_repeat('b', 300)), $length('')]],
    [['open_length_check' => true, 'package_length_func' => static fn (string $data): int => strlen($data) < 1 ? 0 : ord($data[0])], ["\x03ab", "\x01", "\x02z"]],
    [['open_mqtt_protocol' => true], [$mqtt('hello'), $mqtt(''), $mqtt('x')]],
];
$server = new Server('127.0.0.1', 0);
$server->set($kinds[0][0] + ['worker_num' => 1]);
foreach (array_slice($kinds, 1) as $kind) {
    $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP)->set($kind[0]);
}
$whole = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$whole->set(['open_eof_check' => true, 'package_eof' => ';']);
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    $server->send($fd, '[' . bin2hex($data) . ']');
});
$ports = array_column($server->ports, 'port');
serve_peers($server, static function () use ($kinds, $ports): void {
    foreach ($kinds as $i => [, $packets]) {
        $bytes = implode('', $packets);
        $expected = implode('', array_map(static fn (string $packet): string => '[' . bin2hex($packet) . ']', $packets));
        foreach ([1, 2, 7, strlen($bytes)] as $piece) {
            $peer = connect_to("tcp://127.0.0.1:$ports[$i]");
            foreach (str_split($bytes, $piece) as $part) {
                fwrite($peer, $part);
                usleep(100);
            }
            $got = read_all($peer, strlen($expected));
            if ($got !== $expected) {
                echo "$i in pieces of $piece: $got\n";
            }
        }
    }
    // Without splitting, packets that came together are one.
    $peer = connect_to("tcp://127.0.0.1:$ports[4]");
    fwrite($peer, 'a;b;');
    echo hex2bin(trim(read_all($peer, 10), '[]')), "\n";
});
?>
--EXPECT--
a;b;
