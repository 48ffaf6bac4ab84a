--TEST--
A connection whose packets go on belonging to another worker moves there, and what either worker sends stays in order
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\{Atomic, Server, Timer};

const PEERS = 40;
const WORKERS = 3;

/* Packets are "WORKER NUMBER TEXT"; the function sends each to the worker that it names. */
$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set([
    'worker_num' => WORKERS, 'open_length_check' => true, 'package_length_type' => 'N', 'package_length_offset' => 0, 'package_body_offset' => 4,
    'package_max_length' => 1 << 20, 'max_wait_time' => 20,
    'dispatch_func' => static fn (Server $server, int $fd, int $type, string $data): int => $type === 0 ? (int) substr($data, 4) : SWOOLE_DISPATCH_RESULT_USERFUNC_FALLBACK,
]);
$frame = static fn (array $message): string => pack('N', strlen($text = json_encode($message))) . $text;
$started = new Atomic();
$known = [];  // connections, of each worker those that it has had packets of
$server->on('workerStart', static function (Server $server) use (&$known, $started, $frame): void {
    $count = 0;
    $started->add();
    Timer::tick(1, static function () use ($server, &$known, &$count, $frame): void {
        $count++;
        foreach ($known as $fd => $told) {
            if (!$server->send($fd, $frame(['tick', $server->worker_id, $count]))) {
                unset($known[$fd]);
            }
        }
    });
});
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data) use (&$known, $frame): void {
    [$worker, $number] = explode(' ', substr($data, 4), 3);
    if ($number === 'stop') {
        unset($known[$fd]);
    } else {
        $known[$fd] = true;
    }
    $server->send($fd, $frame([$number, $server->worker_id, $reactor, strlen($data)]));
});
serve_peers($server, static function () use ($server, $started): void {
    wait_for(static fn (): bool => $started->get() === WORKERS);
    $packet = static fn (int $worker, string $number, int $size): string => pack('N', strlen($text = "$worker $number " . str_repeat('x', $size))) . $text;
    $wrong = [];
    $ticks = [];
    // The next response; ticks of each worker must come in order meanwhile.
    $read = static function (int $i, $peer) use (&$wrong, &$ticks): array {
        for (;;) {
            $head = read_all($peer, 4);
            $message = strlen($head) === 4 ? json_decode(read_all($peer, unpack('N', $head)[1]), true) : ['gone', 0, 0, 0];
            if ($message[0] !== 'tick') {
                return $message;
            }
            if ($message[2] <= ($ticks[$i][$message[1]] ?? 0)) {
                $wrong[] = ['tick', $i, $message, $ticks[$i]];
            }
            $ticks[$i][$message[1]] = $message[2];
        }
    };
    $peers = [];
    for ($i = 0; $i < PEERS; $i++) {
        $peers[$i] = connect_to("tcp://127.0.0.1:$server->port");
    }
    $moved = $stayed = 0;
    for ($phase = 0; $phase < 6; $phase++) {
        // Twelve for one worker, all sent at once; every third phase in turns for two of them.
        $workers = static fn (int $i, int $n): int => ($i + $phase + ($phase % 3 === 2 ? $n % 2 : 0)) % WORKERS;
        foreach ($peers as $i => $peer) {
            $bytes = '';
            for ($n = 0; $n < 12; $n++) {
                $bytes .= $packet($workers($i, $n), "$phase.$n", $n % 4 === 3 ? 5000 : 5);
            }
            fwrite($peer, substr($bytes, 0, -7));
            fwrite($peer, substr($bytes, -7));
        }
        foreach ($peers as $i => $peer) {
            $got = $reactors = [];
            for ($n = 0; $n < 12; $n++) {
                [$number, $worker, $reactor, $size] = $read($i, $peer);
                $got[$worker][] = $number;
                $reactors[] = $reactor;
            }
            $expected = [];
            for ($n = 0; $n < 12; $n++) {
                $expected[$workers($i, $n)][] = "$phase.$n";
            }
            ksort($got);
            ksort($expected);
            if ($got !== $expected) {
                $wrong[] = ['packets', $i, $got, $expected];
            }
            if ($phase % 3 === 2) {
                $stayed += (int) (count(array_unique($reactors)) === 1);
            } else {
                $moved += (int) (end($reactors) === $workers($i, 11));
            }
        }
    }
    // Those that stayed are asked of workers that do not have them.
    foreach ($peers as $i => $peer) {
        for ($worker = 0; $worker < WORKERS; $worker++) {
            fwrite($peer, $packet($worker, 'stop', 1));
        }
        for ($worker = 0; $worker < WORKERS; $worker++) {
            [$number] = $read($i, $peer);
            if ($number !== 'stop') {
                $wrong[] = ['stop', $i, $number];
            }
        }
    }
    echo json_encode(array_slice($wrong, 0, 2)), "\n";
    // One to which something is being written does not move just then.
    var_dump($moved > 2 * PEERS, $stayed === 2 * PEERS, min(array_map(count(...), $ticks)) >= 2);
    $stats = $server->stats();
    var_dump($stats['connection_num']);
});
?>
--EXPECT--
[]
bool(true)
bool(true)
bool(true)
int(40)
