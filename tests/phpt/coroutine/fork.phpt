--TEST--
A forked child starts without the parent's coroutines and timers
--EXTENSIONS--
pcntl
--ENV--
STAMPEDE_LEAKS=0
--FILE--
<?php

Co::set(['enable_deadlock_check' => false]);
$main = getmypid();
Co\run(function () use ($main) {
    try {
        pcntl_fork();
    } catch (Swoole\Error $error) {
        echo $error->getMessage(), "\n";
    }
    // A program may be started.
    var_dump(getmypid() === $main, trim(shell_exec('echo a program')));
});
$cid = go(function () use ($main) {
    try {
        Co::yield();
    } finally {
        echo getmypid() === $main ? "the parent unwinds\n" : "the child unwinds\n";
    }
});
$timer = Swoole\Timer::after(30, function () { echo "the parent's timer\n"; });
$child = pcntl_fork();
if ($child === 0) {
    var_dump(Co::exists($cid), Co::stats()['coroutine_num']);
    Co\run(function () { go(function () { Co::sleep(0.001); echo "the child's coroutine\n"; }); });
    exit(0);
}
pcntl_waitpid($child, $status);
var_dump(pcntl_wexitstatus($status), Co::exists($cid));
Swoole\Event::wait();
--EXPECT--
pcntl_fork() must be called outside the coroutine: the child would share the event loop of its parent
bool(true)
string(9) "a program"
bool(false)
int(0)
the child's coroutine
int(0)
bool(true)
the parent's timer
the parent unwinds
