--TEST--
Process\Manager: a function per worker, in coroutines or not, under both its names
--FILE--
<?php
use Swoole\Process\Manager;
use Swoole\Process\Pool;
use Swoole\Process\ProcessManager;

$manager = new ProcessManager(SWOOLE_IPC_MSGQUEUE, 7);
var_dump(get_class($manager), $manager->getIPCType(), $manager->getMsgQueueKey());
var_dump($manager->setIPCType(SWOOLE_IPC_NONE)->setMsgQueueKey(0) === $manager, $manager->getIPCType(), $manager->getMsgQueueKey());

$seen = [new Swoole\Atomic(0), new Swoole\Atomic(0), new Swoole\Atomic(0)];
$work = function (Pool $pool, int $id) use ($seen) {
    $seen[$id]->set(Swoole\Coroutine::getCid() > 0 ? 1 : 2);
    if ($id === 0) {
        while ($seen[1]->get() === 0 || $seen[2]->get() === 0) {
            usleep(1000);
        }
        $pool->shutdown();
    }
    while ($pool->workerRunning) {
        usleep(1000);
    }
};
$manager = new Manager();
var_dump($manager->add($work)->addBatch(2, $work, true) === $manager);
$manager->start();
var_dump($seen[0]->get(), $seen[1]->get(), $seen[2]->get());
try {
    (new Manager())->start();
} catch (Swoole\Exception $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
string(22) "Swoole\Process\Manager"
int(2)
int(7)
bool(true)
int(0)
int(0)
bool(true)
int(2)
int(1)
int(1)
the parameter $worker_num must be greater than 0
