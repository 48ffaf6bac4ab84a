--TEST--
Frames and packets of any size arrive whole, however they are cut, and what is only announced takes no memory
--EXTENSIONS--
pcntl
posix
--INI--
memory_limit=1G
--FILE--
<?php
$server = new Swoole\WebSocket\Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'package_max_length' => 64 << 20]);
$server->on('message', function (Swoole\WebSocket\Server $server, Swoole\WebSocket\Frame $frame): void {
    $server->push($frame->fd, strlen($frame->data) . ' ' . md5($frame->data));
});
$packets = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$packets->set(['open_length_check' => true, 'package_length_type' => 'N', 'package_body_offset' => 4, 'package_max_length' => 64 << 20, 'open_http_protocol' => false, 'open_websocket_protocol' => false]);
$packets->on('receive', function (Swoole\Server $server, int $fd, int $reactor, string $data): void {
    $server->send($fd, $data === "\0\0\0\3RSS" ? sprintf('%08d', (int) preg_replace('/.*VmRSS:\s+(\d+).*/s', '$1', file_get_contents('/proc/self/status'))) : md5($data));
});

function open(int $port): mixed
{
    $socket = stream_socket_client("tcp://127.0.0.1:$port", $number, $message, 10);
    stream_set_timeout($socket, 20);
    return $socket;
}

function upgraded(int $port): mixed
{
    $socket = open($port);
    fwrite($socket, "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
    while (($line = fgets($socket)) !== "\r\n" && $line !== false);
    return $socket;
}

function frame(string $data): string
{
    $size = strlen($data);
    $head = $size < 126 ? pack('CC', 0x82, 0x80 | $size) : ($size < 65536 ? pack('CCn', 0x82, 0xfe, $size) : pack('CCJ', 0x82, 0xff, $size));
    return $head . 'mask' . ($data ^ str_repeat('mask', intdiv($size, 4) + 1));
}

function exact(mixed $socket, int $size): string
{
    for ($data = ''; strlen($data) < $size && ($more = fread($socket, $size - strlen($data))) != ''; $data .= $more);
    return $data;
}

function client(int $websocket_port, int $packet_port): void
{
    $unit = random_bytes(4099);
    $messages = array_map(fn (int $size): string => substr(str_repeat($unit, intdiv($size, 4099) + 1), 0, $size), [5, 65536, 100_000, 1 << 20, 7, (1 << 20) + 300, 3_000_001, 20_000_000, 0, 200_000]);
    $frames = upgraded($websocket_port);
    $packets = open($packet_port);
    foreach ([3, 70_001, 1 << 30] as $cut) {
        $bytes = ['frames' => implode('', array_map(frame(...), $messages)), 'packets' => implode('', array_map(fn (string $data): string => pack('N', strlen($data)) . $data, $messages))];
        foreach ($bytes as $kind => $all) {
            $socket = $$kind;
            // Heads are cut by the smallest pieces, which end after the first messages.
            $few = $cut === 3 ? 70_000 : 0;
            for ($at = 0; $at < $few; $at += 3 * 7) {
                fwrite($socket, substr($all, $at, 3 * 7));
            }
            for (; $at < strlen($all); $at += $cut) {
                fwrite($socket, $at === 0 && $cut > strlen($all) ? $all : substr($all, $at, $cut = max($cut, 50_021)));
            }
            $right = 0;
            foreach ($messages as $data) {
                if ($kind === 'frames') {
                    $right += exact($socket, ord(exact($socket, 2)[1])) === strlen($data) . ' ' . md5($data) ? 1 : 0;
                } else {
                    $right += exact($socket, 32) === md5(pack('N', strlen($data)) . $data) ? 1 : 0;
                }
            }
            echo "$kind: $right of ", count($messages), "\n";
        }
    }
    $resident = function () use ($packets): int {
        fwrite($packets, "\0\0\0\3RSS");
        return (int) exact($packets, 8);
    };
    $before = $resident();
    $idle = [];
    $begun = substr(frame(str_repeat('x', 20_000_000)), 0, 1000);
    for ($i = 0; $i < 64; $i++) {
        $idle[] = $socket = upgraded($websocket_port);
        fwrite($socket, $begun);
        $idle[] = $socket = open($packet_port);
        fwrite($socket, pack('N', 20_000_000) . str_repeat('x', 1000));
    }
    // They have been read when connections that came later are served.
    $last = upgraded($websocket_port);
    fwrite($last, frame('last'));
    exact($last, 2);
    echo 'announced only: ', ($grown = $resident() - $before) < 64 * 128 * 2 ? 'little' : "$grown KiB", "\n";
}

$out = tempnam(sys_get_temp_dir(), 'out');
$server->on('managerStart', function (Swoole\Server $server) use ($packets, $out): void {
    if (pcntl_fork() === 0) {
        ob_start();
        try {
            client($server->port, $packets->port);
        } finally {
            file_put_contents($out, ob_get_clean());
            posix_kill($server->master_pid, SIGTERM);
            posix_kill(getmypid(), SIGKILL);
        }
    }
});
$server->start();
echo file_get_contents($out);
unlink($out);
?>
--EXPECT--
frames: 10 of 10
packets: 10 of 10
frames: 10 of 10
packets: 10 of 10
frames: 10 of 10
packets: 10 of 10
announced only: little
