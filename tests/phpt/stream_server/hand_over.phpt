--TEST--
Connections of workers that are replaced go on in the next ones: nothing is lost, doubled or out of order, and nobody hears of it
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\{Atomic, Server};

const PEERS = 60;
const RELOADS = 6;

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set([
    'worker_num' => 2, 'open_length_check' => true, 'package_length_type' => 'N', 'package_length_offset' => 0, 'package_body_offset' => 4,
    'max_request' => 1500, 'max_wait_time' => 20, 'package_max_length' => 1 << 20,
]);
[$connects, $closes] = [new Atomic(), new Atomic()];
$server->on('connect', static fn () => $connects->add());
$server->on('close', static fn () => $closes->add());
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    $message = substr($data, 4);
    if (str_starts_with($message, 'bind')) {
        $server->bind($fd, (int) substr($message, 5));
    } elseif (str_starts_with($message, 'slow')) {
        Swoole\Coroutine::sleep(0.005);
    }
    $info = $server->getClientInfo($fd);
    $reply = json_encode(['message' => strlen($message) > 1000 ? md5($message) : $message, 'pid' => getmypid(), 'fd' => $fd,
        'uid' => $info['uid'] ?? 0, 'port' => $info['remote_port'], 'since' => $info['connect_time']]);
    $packet = pack('N', strlen($reply)) . $reply;
    if (!str_starts_with($message, 'next')) {
        $server->send($fd, $packet);
    } elseif (!$server->sendMessage([$fd, $packet], 1 - $server->worker_id)) {
        echo "no message\n";
    }
});
// From the worker that does not have the connection.
$server->on('pipeMessage', static function (Server $server, int $source, array $order): void {
    if (!$server->send(...$order)) {
        echo "not sent\n";
    }
});
serve_peers($server, static function () use ($server, $connects, $closes): void {
    $frame = static fn (string $message): string => pack('N', strlen($message)) . $message;
    $read = static function ($peer): array {
        $head = read_all($peer, 4);
        return strlen($head) === 4 ? json_decode(read_all($peer, unpack('N', $head)[1]), true) : [];
    };
    $peers = $facts = $next = $pids = [];
    for ($i = 0; $i < PEERS; $i++) {
        $peers[$i] = connect_to("tcp://127.0.0.1:$server->port");
        fwrite($peers[$i], $frame("bind:" . ($i + 1)));
        $first = $read($peers[$i]);
        unset($first['message'], $first['pid']);
        $facts[$i] = $first;
        $next[$i] = 0;
    }
    $wrong = [];
    $round = static function () use (&$peers, &$next, &$facts, &$wrong, &$pids, $frame, $read): void {
        $sent = [];
        foreach ($peers as $i => $peer) {
            $n = $next[$i]++;
            $sent[$i] = [$n % 5 === 0 ? "slow $n" : "quick $n", "next $n", str_repeat(chr(65 + $i % 26), 3000 + $n)];
            // The last one in two pieces: the first stays with the worker that leaves.
            $bytes = implode('', array_map($frame, $sent[$i]));
            fwrite($peer, substr($bytes, 0, -1000));
        }
        foreach ($peers as $i => $peer) {
            fwrite($peer, substr(implode('', array_map($frame, $sent[$i])), -1000));
        }
        foreach ($peers as $i => $peer) {
            $got = [];
            foreach ($sent[$i] as $message) {
                $reply = $read($peer);
                $got[] = $reply['message'] ?? null;
                $pids[$reply['pid'] ?? 0] = true;
                unset($reply['message'], $reply['pid']);
                if ($reply !== $facts[$i]) {
                    $wrong[] = ['facts', $i, $reply, $facts[$i]];
                }
            }
            $expected = array_map(static fn (string $message): string => strlen($message) > 1000 ? md5($message) : $message, $sent[$i]);
            sort($expected);
            sort($got);  // functions of one connection run side by side
            if ($got !== $expected) {
                $wrong[] = ['replies', $i, $got, $expected];
            }
        }
    };
    $round();
    for ($reload = 0; $reload < RELOADS; $reload++) {
        $before = count($pids);
        posix_kill($server->master_pid, SIGUSR1);
        // Until both workers are others, under load.
        for ($end = hrtime(true) + 20e9; count($pids) < $before + 2 && hrtime(true) < $end && $wrong === [];) {
            $round();
        }
    }
    echo json_encode(array_slice($wrong, 0, 2)), "\n";
    var_dump(count($pids) >= 2 + 2 * RELOADS, $connects->get(), $closes->get());
    foreach ($peers as $peer) {
        fclose($peer);
    }
    var_dump(wait_for(static fn (): bool => $closes->get() === PEERS));
});
?>
--EXPECT--
[]
bool(true)
int(60)
int(0)
bool(true)
