--TEST--
A coroutine of a pool's worker that waits in read() of its own pipe gets what comes; the event message gets what comes when nobody reads
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Process\Pool;

$pool = new Pool(2, SWOOLE_IPC_UNIXSOCK, 0, true);
$told = new Swoole\Atomic();
$pool->on('workerStart', static function (Pool $pool, int $id) use ($told): void {
    if ($id === 1) {
        for ($i = 0; $i < 6; $i++) {
            while ($told->get() < $i) {
                Coroutine::sleep(0.001);
            }
            $pool->getProcess(0)->write("message $i");
        }
        return;
    }
    for ($i = 0; $i < 3; $i++) {
        $message = $pool->getProcess()->read();
        echo "read: $message\n";
        $told->add();
    }
});
$pool->on('message', static function (Pool $pool, string $message) use ($told): void {
    echo "message: $message\n";
    if ($told->add() === 6) {
        $pool->shutdown();
    }
});
$pool->start();
?>
--EXPECT--
read: message 0
read: message 1
read: message 2
message: message 3
message: message 4
message: message 5
