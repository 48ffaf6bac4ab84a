--TEST--
Process\Pool: SIGUSR1 replaces the workers, max_wait_time ends those that do not listen, quick failures are slowed down
--FILE--
<?php
use Swoole\Process;
use Swoole\Process\Pool;

function quiet(Pool $pool): void { swoole_async_set(['log_level' => SWOOLE_LOG_NONE]); }

// Each worker is started twice, then the second generation of worker 0 ends the pool.
$starts = new Swoole\Atomic(0);
$pool = new Pool(2);
$pool->on('WorkerStart', function (Pool $pool, int $id) use ($starts) {
    $count = $starts->add();
    if ($count === 2) {
        Process::kill($pool->master_pid, SIGUSR1);
    } elseif ($count === 4) {
        $pool->shutdown();
    }
    while ($pool->workerRunning) {
        usleep(1000);
    }
});
$pool->start();
var_dump($starts->get());

// Deaf.
$pool = new Pool(1);
$pool->set(['max_wait_time' => 0.1]);
$pool->on('WorkerStart', function (Pool $pool) {
    $pool->shutdown();
    while (true) {
        usleep(1000);
    }
});
$pool->on('WorkerStop', fn () => print("never\n"));
$pool->start();

// Fails at once each time: 0, 0, 10, 20, 40, 80 ms and so on pass between the starts.
$starts->set(0);
$began = microtime(true);
$pool = new Pool(1);
$pool->on('WorkerStart', function (Pool $pool) use ($starts) {
    quiet($pool);
    if ($starts->add() < 7) {
        exit(1);
    }
    $pool->shutdown();
    while ($pool->workerRunning) {
        usleep(1000);
    }
});
$pool->start();
var_dump($starts->get(), microtime(true) - $began > 0.14);
?>
--EXPECTF--
int(4)
%Aint(7)
bool(true)
