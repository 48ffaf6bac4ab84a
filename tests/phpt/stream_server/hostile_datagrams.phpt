--TEST--
Datagrams of 0, 1 and 65,507 bytes, peers that are gone when the reply comes, and more than the kernel keeps
--EXTENSIONS--
pcntl
posix
sockets
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$log = tempnam(sys_get_temp_dir(), 'log');
$seen = new Swoole\Atomic(0);
$hold = new Swoole\Atomic(0);
$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS, SWOOLE_SOCK_UDP);
$server->set(['worker_num' => 1, 'log_file' => $log]);
$six = $server->listen('::1', 0, SWOOLE_SOCK_UDP6);
$server->on('packet', static function (Server $server, string $data, array $peer) use ($seen, $hold): void {
    $seen->add();
    if ($data === 'hold') {
        $hold->set(1);
        for ($i = 0; $i < 10000 && $hold->get() === 1; $i++) {
            usleep(1000);
        }
        return;
    }
    $server->sendto($peer['address'], $peer['port'], strlen($data) . ' ' . md5($data), $peer['server_socket']);
    $data === 'back' && $server->sendto($peer['address'], $peer['port'], str_repeat('y', 65507), $peer['server_socket']);
    if (str_starts_with($data, 'too large')) {
        $server->sendto($peer['address'], $peer['port'], var_export(@$server->sendto($peer['address'], $peer['port'], str_repeat('y', (int) substr($data, 10)), $peer['server_socket']), true), $peer['server_socket']);
    }
});
$ports = [AF_INET => ['127.0.0.1', $server->port], AF_INET6 => ['::1', $six->port]];
serve_peers($server, static function () use ($ports, $seen, $hold): void {
    $ask = static function ($socket, int $family, string $data, int $replies = 1) use ($ports): array {
        socket_sendto($socket, $data, strlen($data), 0, ...$ports[$family]);
        $got = [];
        while ($replies-- > 0) {
            $got[] = socket_recvfrom($socket, $reply, 70000, 0, $address, $port) === false ? socket_strerror(socket_last_error($socket)) : $reply;
        }
        return $got;
    };
    $open = static function (int $family): Socket {
        $socket = socket_create($family, SOCK_DGRAM, SOL_UDP);
        socket_set_option($socket, SOL_SOCKET, SO_RCVTIMEO, ['sec' => 10, 'usec' => 0]);
        return $socket;
    };
    foreach ([AF_INET, AF_INET6] as $family) {
        $socket = $open($family);
        foreach ([0, 1, 1500, 65507] as $size) {
            $data = str_repeat('x', $size);
            if ($ask($socket, $family, $data) !== [$size . ' ' . md5($data)]) {
                echo "$family: $size\n";
            }
        }
        echo strlen($ask($socket, $family, 'back', 2)[1]), ' ', $ask($socket, $family, 'too large ' . ($family === AF_INET ? 65508 : 65528), 2)[1], "\n";
        // The kernel tells the server that nobody is there; whoever comes next gets a reply all the same.
        for ($i = 0; $i < 50; $i++) {
            $gone = $open($family);
            socket_sendto($gone, "gone$i", 6, 0, ...$ports[$family]);
            socket_close($gone);
            if (!str_starts_with($ask($socket, $family, "there$i")[0], strlen("there$i") . ' ')) {
                echo "$family: no reply after $i\n";
                break;
            }
        }
    }
    // While the worker is held up the kernel keeps what its buffer holds and drops the rest, and counts that.
    $drops = static fn (): int => (int) array_sum(array_map(static fn (string $line): int => str_contains($line, sprintf(':%04X ', $ports[AF_INET][1])) ? (int) strrchr(rtrim($line), ' ') : 0, file('/proc/net/udp')));
    $socket = $open(AF_INET);
    socket_sendto($socket, 'hold', 4, 0, ...$ports[AF_INET]);
    var_dump(wait_for(static fn (): bool => $hold->get() === 1));
    $before = $seen->get();
    for ($sent = 0; $sent < 20000 && $drops() < 10; $sent += 50) {
        for ($i = 0; $i < 50; $i++) {
            socket_sendto($socket, str_repeat('z', 1000), 1000, 0, ...$ports[AF_INET]);
        }
    }
    $dropped = $drops();
    $hold->set(0);
    var_dump($dropped >= 10, wait_for(static fn (): bool => $seen->get() - $before + $dropped === $sent));
    $other = $open(AF_INET);
    var_dump($ask($other, AF_INET, 'after') === ['5 ' . md5('after')]);
});
echo file_get_contents($log);
unlink($log);
?>
--EXPECT--
65507 false
65507 false
bool(true)
bool(true)
bool(true)
bool(true)
