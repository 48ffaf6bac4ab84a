--TEST--
Process\Pool: messages of 0 bytes to 1 MiB arrive once and in order, from workers and coroutines
--FILE--
<?php
use Swoole\Process\Pool;

const SIZES = [0, 1, 100, 61439, 61440, 61441, 200000, 1 << 20];

foreach ([false, true] as $coroutines) {
    $done = new Swoole\Atomic(0);
    $pool = new Pool(3, SWOOLE_IPC_UNIXSOCK);
    $pool->set(['enable_coroutine' => $coroutines, 'enable_message_bus' => true]);
    $pool->on('WorkerStart', function (Pool $pool, int $id) {
        if ($id === 0) {
            return;
        }
        for ($round = 0; $round < 3; $round++) {
            foreach (SIZES as $i => $size) {
                if (!$pool->sendMessage($size === 0 ? '' : str_pad("$id $round $i ", $size, chr(64 + $i)), 0)) {
                    echo "not sent\n";
                }
            }
        }
        $pool->sendMessage("end $id", 0);
    });
    $got = [];
    $pool->on('Message', function (Pool $pool, string $data) use (&$got, $coroutines, $done) {
        if (Swoole\Coroutine::getCid() > 0 !== $coroutines) {
            echo "not where it should be\n";
        }
        if (str_starts_with($data, 'end ')) {
            if ($done->add() === 2) {
                $expected = [];
                foreach ([1, 2] as $id) {
                    for ($round = 0; $round < 3; $round++) {
                        foreach (SIZES as $i => $size) {
                            if ($size > 10) {
                                $expected[$id][] = md5(str_pad("$id $round $i ", $size, chr(64 + $i)));
                            }
                        }
                    }
                }
                ksort($got);
                var_dump($got['short'] === 12, array_intersect_key($got, [1 => 1, 2 => 1]) === $expected);
                $pool->shutdown();
            }
        } elseif (strlen($data) < 10) {
            $got['short'] = ($got['short'] ?? 0) + 1;
        } else {
            $got[(int) $data[0]][] = md5($data);
        }
    });
    $pool->start();
}

// Without the bus a message is one datagram; one of a worker that is gone goes to its replacement.
$starts = new Swoole\Atomic(0);
$pool = new Pool(1, SWOOLE_IPC_UNIXSOCK);
$pool->on('WorkerStart', function (Pool $pool) use ($starts) {
    if ($starts->add() === 1) {
        $pool->sendMessage('for my successor', 0);
        var_dump(@$pool->sendMessage(str_repeat('x', 1 << 20), 0), swoole_last_error() === SOCKET_EMSGSIZE);
        $pool->stop();
    }
});
$pool->on('Message', function (Pool $pool, string $data) use ($starts) {
    var_dump($starts->get(), $data);
    $pool->shutdown();
});
$pool->start();

// A worker that is to end does not wait long for room in the pipe of one that reads nothing.
$pool = new Pool(1, SWOOLE_IPC_UNIXSOCK);
$pool->on('WorkerStart', function (Pool $pool) {
    $pool->shutdown();
    while (@$pool->sendMessage('x', 0));
    var_dump(swoole_last_error() === SOCKET_ETIMEDOUT);
});
$began = microtime(true);
$pool->start();
var_dump(microtime(true) - $began < 8);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
int(2)
string(16) "for my successor"
bool(true)
bool(true)
