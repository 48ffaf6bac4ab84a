--TEST--
Atomic::wait() and wakeup(): processes block, coroutines let others run
--FILE--
<?php
$a = new Swoole\Atomic();
var_dump($a->wait(0), $a->wait(0.02));
$a->set(1);
var_dump($a->wait(), $a->get());
if (($pid = pcntl_fork()) === 0) {
    exit($a->wait(10) ? 3 : 4);
}
$a->wakeup();
pcntl_waitpid($pid, $status);
var_dump(pcntl_wexitstatus($status));
Co\run(function () use ($a) {
    go(function () use ($a) {
        echo "waits\n";
        var_dump($a->wait(10));
    });
    go(function () use ($a) {
        var_dump($a->wait(0.005));
        echo "wakes\n";
        $a->wakeup();
    });
    $cid = go(function () use ($a) {
        $b = new Swoole\Atomic();
        var_dump($b->wait(-1));
    });
    Co::cancel($cid);
});
?>
--EXPECT--
bool(false)
bool(false)
bool(true)
int(0)
int(3)
waits
bool(false)
bool(false)
wakes
bool(true)
