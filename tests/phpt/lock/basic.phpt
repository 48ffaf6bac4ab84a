--TEST--
Lock: exclusive and shared, time-outs, over processes, given up by the dead
--FILE--
<?php
use Swoole\Lock;

$lock = new Lock();
var_dump($lock->lock(), $lock->lock(LOCK_EX | LOCK_NB), $lock->errCode === 16);
var_dump($lock->lock(LOCK_EX, 0.02), $lock->errCode === 110);
var_dump($lock->unlock(), $lock->errCode, $lock->unlock(), $lock->errCode === 1);

$rw = new Lock(SWOOLE_RWLOCK);
var_dump($rw->lock(LOCK_SH), $rw->lock(LOCK_SH), $rw->lock(LOCK_EX | LOCK_NB), $rw->unlock(), $rw->unlock(), $rw->lock(LOCK_EX | LOCK_NB));

// A child dies with it.
$has_it = new Swoole\Atomic();
if (($pid = pcntl_fork()) === 0) {
    $lock->lock();
    $has_it->wakeup();
    exec('kill -9 ' . getmypid());
}
var_dump($has_it->wait(10), $lock->lock(LOCK_EX, 10));
pcntl_waitpid($pid, $status);
var_dump(pcntl_wtermsig($status));

// A child waits for it.
if (($pid = pcntl_fork()) === 0) {
    exit($lock->lock(LOCK_EX, 10) ? 5 : 6);
}
$lock->unlock();
pcntl_waitpid($pid, $status);
var_dump(pcntl_wexitstatus($status));

Co\run(function () use ($lock) {
    go(function () use ($lock) {
        $lock->lock();
        Co::sleep(0.02);
        echo "first\n";
        $lock->unlock();
    });
    go(function () use ($lock) {
        $lock->lock();
        echo "second\n";
        $lock->unlock();
    });
    echo "others run\n";
});
try {
    new Lock(77);
} catch (Swoole\Exception $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(true)
int(0)
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(9)
int(5)
others run
first
second
lock type[77] is not supported: use SWOOLE_MUTEX, SWOOLE_RWLOCK or SWOOLE_SPINLOCK
