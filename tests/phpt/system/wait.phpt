--TEST--
System::wait() and waitPid(): children that were forked, not those of proc_open(); time limits and cancelling
--EXTENSIONS--
posix
--FILE--
<?php
use Swoole\Coroutine as Co;
use Swoole\Coroutine\System;

function child(float $seconds, int $code): int
{
    $pid = pcntl_fork();
    if ($pid === 0) {
        usleep((int) ($seconds * 1e6));
        exit($code);
    }
    return $pid;
}

// Forking is for the time before there are coroutines.
$quick = child(0.1, 5);
$slow = child(30, 0);
$killed = child(30, 0);
$program = proc_open(['sh', '-c', 'exit 7'], [], $pipes);
Co\run(function () use ($quick, $slow, $killed, $program): void {
    var_dump(System::waitPid(getmypid()), swoole_strerror(swoole_last_error()));
    $order = [];
    go(function () use (&$order): void {
        System::sleep(0.01);
        $order[] = 'others run';
    });
    $ended = System::wait();
    var_dump($ended['pid'] === $quick, $ended['code'], $ended['signal'], $order, proc_close($program));

    var_dump(System::waitPid($slow, 0.01), swoole_strerror(swoole_last_error()));
    $cid = go(function () use ($slow): void {
        var_dump(System::waitPid($slow), swoole_last_error() === SWOOLE_ERROR_CO_CANCELED);
    });
    Co::cancel($cid);
    posix_kill($slow, SIGKILL);
    echo json_encode(array_slice(Co::waitPid($slow), 1)), "\n";
    var_dump(System::waitPid($slow), swoole_strerror(swoole_last_error()));

    // Two who wait for one end: the second learns that there is none any more.
    $seen = new Co\Channel(2);
    go(fn () => $seen->push(System::wait(20)));
    go(fn () => $seen->push(System::wait(20)));
    posix_kill($killed, SIGTERM);
    $ends = [$seen->pop(20), $seen->pop(20)];
    sort($ends);
    var_dump($ends[0], $ends[1]['signal'] === SIGTERM);
    var_dump(System::wait(), swoole_strerror(swoole_last_error()));
});
?>
--EXPECT--
bool(false)
string(18) "No child processes"
bool(true)
int(5)
int(0)
array(1) {
  [0]=>
  string(10) "others run"
}
int(7)
bool(false)
string(20) "Connection timed out"
bool(false)
bool(true)
{"code":0,"signal":9}
bool(false)
string(18) "No child processes"
bool(false)
bool(true)
bool(false)
string(18) "No child processes"
