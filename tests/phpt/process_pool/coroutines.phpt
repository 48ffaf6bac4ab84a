--TEST--
Process\Pool: workers with coroutines, their pipes, what is under way is finished before the end
--FILE--
<?php
use Swoole\Coroutine as Co;
use Swoole\Process\Pool;

$order = new Swoole\Atomic(0);
$exits = new Swoole\Atomic(0);
$pool = new Pool(2, SWOOLE_IPC_UNIXSOCK, 0, true);
$pool->on('WorkerStart', function (Pool $pool, int $id) use ($order, $exits) {
    $process = $pool->getProcess(0);
    $socket = $process->exportSocket();
    if ($id === 0) {
        if ($socket->recv() === 'hello 0' && $process->id === 0 && $process === $pool->workers[0] && $pool->getProcess() === $process) {
            $socket->send('hello 1');
        }
        Co::sleep(0.01);
        $pool->shutdown();
    } else {
        $socket->send('hello 0');
        echo $socket->recv(), "\n";
        $order->add();
    }
    while ($pool->workerRunning) {
        Co::sleep(0.01);
    }
    go(function () use ($order, $exits) {
        for ($until = hrtime(true) + 10e9; $exits->get() < 4 && hrtime(true) < $until;) {
            Co::sleep(0.01);
        }
        $order->add();
    });
});
$pool->on('WorkerExit', function (Pool $pool, int $id) use ($exits) { $exits->add(); });
$pool->on('WorkerStop', function (Pool $pool, int $id) use ($order) { $order->add(10); });
$pool->start();
var_dump($order->get(), $exits->get() >= 4);

// The child of a worker ends by SIGTERM as any process.
$pool = new Pool(1, SWOOLE_IPC_NONE, 0, true);
$pool->on('WorkerStart', function (Pool $pool) {
    $system = Co\System::exec('kill -TERM $$');
    var_dump($system['signal']);
    $pool->shutdown();
});
$pool->start();

$pool = new Pool(1);
$pool->on('WorkerStart', function (Pool $pool) {
    $child = new Swoole\Process(fn () => sleep(60));
    $child->start();
    Swoole\Process::kill($child->pid, SIGTERM);
    var_dump(Swoole\Process::wait()['signal'] === SIGTERM);
    (new Swoole\Process(fn () => 1))->start();  // comes to its end and goes no further
    var_dump(Swoole\Process::wait()['code']);
    $pool->shutdown();
    $pool->stop();
    var_dump($pool->workerRunning);
});
$pool->start();
?>
--EXPECT--
hello 1
int(23)
bool(true)
int(15)
bool(true)
int(0)
bool(false)
