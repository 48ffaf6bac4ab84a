--TEST--
Coroutine\Lock: order, not waiting, who may unlock, processes
--FILE--
<?php

use Swoole\Coroutine;
use Swoole\Coroutine\Lock;

foreach ([false, true] as $shared) {
    Co\run(function () use ($shared) {
        $lock = new Lock($shared);
        var_dump($lock->unlock(), $lock->errCode === SWOOLE_ERROR_CO_MUTEX_DOUBLE_UNLOCK, $lock->lock(), $lock->lock());
        $order = [];
        for ($i = 0; $i < 3; $i++) {
            go(function () use ($lock, $i, &$order) {
                $lock->lock();
                $order[] = "in $i";
                Coroutine::sleep(0.001);
                $order[] = "out $i";
                $lock->unlock();
            });
        }
        go(function () use ($lock) {
            var_dump($lock->lock(LOCK_EX | LOCK_NB), $lock->errCode === SOCKET_EBUSY, $lock->unlock(), $lock->errCode === SOCKET_EPERM);
        });
        $cid = go(function () use ($lock) {
            var_dump($lock->lock(), $lock->errCode === SOCKET_ECANCELED);
        });
        Coroutine::cancel($cid);
        Coroutine::sleep(0.001);
        var_dump($order, $lock->unlock(), $lock->errCode);
        for ($until = hrtime(true) + 10e9; count($order) < 6 && hrtime(true) < $until;) {
            Coroutine::sleep(0.001);
        }
        Coroutine::sleep(0.001);  // the last one gives it back after its last word
        echo implode(', ', $order), "\n";
        var_dump($lock->lock(LOCK_SH | LOCK_NB), $lock->unlock());
    });
}

// A child holds it, and dies holding it.
$lock = new Lock(true);
[$mine, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$pid = pcntl_fork();
if ($pid === 0) {
    Co\run(function () use ($lock, $theirs) {
        $lock->lock();
        fwrite($theirs, 'held');
        fread($theirs, 1);
        Swoole\Process::kill(getmypid(), SIGKILL);
    });
}
fread($mine, 4);
Co\run(function () use ($lock, $mine) {
    var_dump($lock->lock(LOCK_EX | LOCK_NB));
    go(function () use ($lock) { var_dump($lock->lock()); });
    echo "waiting\n";
    fwrite($mine, 'x');
});
pcntl_waitpid($pid, $status);
foreach ([$lock, new Lock()] as $any) {
    var_dump($any->lock(), $any->errCode === SWOOLE_ERROR_CO_OUT_OF_COROUTINE, $any->unlock(), $any->errCode === SWOOLE_ERROR_CO_OUT_OF_COROUTINE);
}
--EXPECT--
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
array(0) {
}
bool(true)
int(0)
in 0, out 0, in 1, out 1, in 2, out 2
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
array(0) {
}
bool(true)
int(0)
in 0, out 0, in 1, out 1, in 2, out 2
bool(true)
bool(true)
bool(false)
waiting
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
