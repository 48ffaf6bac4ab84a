--TEST--
Process\Pool: a System V queue, detach()
--FILE--
<?php
use Swoole\Process\Pool;

$key = 0x53000000 | getmypid();
$sender = new Swoole\Process(fn () => 1, false, 0);
$sender->useQueue($key);
foreach (range(1, 50) as $i) {
    $sender->push("message $i");
}
$sum = new Swoole\Atomic(0);
$count = new Swoole\Atomic(0);
$pool = new Pool(3, SWOOLE_IPC_MSGQUEUE, $key);
$pool->on('Message', function (Pool $pool, string $data) use ($sum, $count) {
    $sum->add((int) substr($data, 8));
    if ($count->add() === 50) {
        $pool->shutdown();
    }
});
$pool->start();
var_dump($sum->get(), $count->get());
$sender->freeQueue();

// The worker that leaves goes on, beside its replacement.
$starts = new Swoole\Atomic(0);
$finished = new Swoole\Atomic(0);
$pool = new Pool(1);
$pool->on('WorkerStart', function (Pool $pool) use ($starts, $finished) {
    if ($starts->add() === 1) {
        var_dump($pool->detach());
        while ($starts->get() < 2) {
            usleep(1000);
        }
        $finished->set(1);
        return;
    }
    while ($finished->get() === 0) {
        usleep(1000);
    }
    $pool->shutdown();
    while ($pool->workerRunning) {
        usleep(1000);
    }
});
$pool->start();
var_dump($starts->get(), $finished->get());
?>
--EXPECT--
int(1275)
int(50)
bool(true)
int(2)
int(1)
