--TEST--
Process\Pool: events, properties, a killed worker is replaced, a graceful stop
--FILE--
<?php
use Swoole\Process;
use Swoole\Process\Pool;

$seen = new Swoole\Table(64);
$seen->column('text', Swoole\Table::TYPE_STRING, 64);
$seen->create();
$starts = new Swoole\Atomic(0);
$stops = new Swoole\Atomic(0);

$supervisor = getmypid();
$pool = new Pool(2);
var_dump($pool->master_pid, $pool->workerPid, $pool->workerId, $pool->workers, $pool->workerRunning, $pool->running);
var_dump($pool->on('start', function (Pool $pool) { echo "start\n"; }));
$pool->on('Shutdown', function (Pool $pool) { echo "shutdown\n"; });
$pool->on('WorkerStart', function (Pool $pool, int $id) use ($starts, $seen, $supervisor) {
    $seen->set("$id", ['text' => implode(' ', [
        $pool->workerId === $id, $pool->workerPid === getmypid(), $pool->master_pid === $supervisor,
        $pool->workerRunning, $pool->running, Swoole\Coroutine::getCid(),
    ])]);
    if ($starts->add() === 3) {  // the replacement
        $pool->shutdown();
    } elseif ($id === 1) {
        while ($starts->get() < 2) {
            usleep(1000);
        }
        Process::kill(getmypid(), SIGKILL);
    }
    while ($pool->workerRunning) {
        usleep(1000);
    }
});
$pool->on('WorkerStop', function (Pool $pool, int $id) use ($stops) { $stops->add(); });
swoole_async_set(['log_level' => SWOOLE_LOG_ERROR]);
var_dump($pool->start(), $pool->running, $starts->get(), $stops->get(), $seen->get('0', 'text'), $seen->get('1', 'text'));
?>
--EXPECTF--
int(-1)
int(-1)
int(-1)
NULL
bool(true)
bool(true)
bool(true)
start
%Ashutdown
NULL
bool(false)
int(3)
int(2)
string(12) "1 1 1 1 1 -1"
string(12) "1 1 1 1 1 -1"
