--TEST--
Process\Pool: a worker that messages crash again and again is replaced at once, others are answered meanwhile
--EXTENSIONS--
pcntl
--FILE--
<?php
use Swoole\Process;
use Swoole\Process\Pool;

$done = new Swoole\Atomic(0);
$starts = new Swoole\Atomic(0);
$pool = new Pool(2, SWOOLE_IPC_UNIXSOCK);
$pool->on('start', function (Pool $pool) use ($done, $starts) {
    // Each of 20 crashes takes a worker that had served.
    $sender = new Process(function () use ($pool, $done, $starts) {
        for ($i = 0; $i < 20; $i++) {
            $pool->sendMessage('crash', $i % 2);
            $pool->sendMessage('work', $i % 2);
            for ($until = microtime(true) + 2; $done->get() <= $i && microtime(true) < $until;) {
                usleep(1000);
            }
        }
        Process::kill($pool->master_pid, SIGTERM);
    }, false, 0);
    $sender->start();
});
$pool->on('WorkerStart', fn () => $starts->add());
$pool->on('Message', function (Pool $pool, string $message) use ($done) {
    $message === 'crash' ? Process::kill(getmypid(), SIGKILL) : $done->add();
});
$began = microtime(true);
$pool->start();
var_dump($done->get(), $starts->get(), microtime(true) - $began < 5);

// The events of its life.
$prepared = '';
$order = new Swoole\Table(16);
$order->column('text', Swoole\Table::TYPE_STRING, 64);
$order->create();
$note = fn (string $text) => $order->set((string) $order->count(), ['text' => $text]);
$pool = new Pool(1);
$pool->on('Start', function () use (&$prepared) { $prepared = 'by start'; });
$pool->on('WorkerStart', function (Pool $pool) use (&$prepared, $note) {
    $note("prepared $prepared");
    pcntl_async_signals(true);
    $told = false;
    pcntl_signal(SIGTERM, function () use (&$told) { $told = true; });
    $pool->shutdown();
    while (!$told) {
        usleep(1000);
    }
});
$pool->on('WorkerStop', fn (Pool $pool) => $note('worker stops, running ' . var_export($pool->workerRunning, true)));
$pool->on('Shutdown', fn () => $note('shutdown'));
$pool->start();
for ($i = 0; $i < $order->count(); $i++) {
    echo $order->get((string) $i, 'text'), "\n";
}
?>
--EXPECTF--
%Aint(20)
int(22)
bool(true)
prepared by start
shutdown
worker stops, running false
