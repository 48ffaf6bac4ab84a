--TEST--
System::wait() and waitPid(): children that were forked, those of proc_open(), whose ends are left to it; time limits and cancelling
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
$program = proc_open(['sh', '-c', 'read line; exit 7'], [['pipe', 'r']], $pipes);
$number = proc_get_status($program)['pid'];
fclose($pipes[0]);
Co\run(function () use ($quick, $slow, $killed, $program, $number): void {
    var_dump(System::waitPid(getmypid()), swoole_strerror(swoole_last_error()));
    $order = [];
    go(function () use (&$order): void {
        System::sleep(0.01);
        $order[] = 'others run';
    });
    // The end of a program is told once, and still there for proc_close().
    $first = System::wait();
    $second = System::wait();
    var_dump($first['pid'] === $number, $first['code'], proc_close($program));
    var_dump($second['pid'] === $quick, $second['code'], $second['signal'], $order);

    var_dump(System::waitPid($slow, 0.01), swoole_strerror(swoole_last_error()));
    $cid = go(function () use ($slow): void {
        var_dump(System::waitPid($slow), swoole_last_error() === SWOOLE_ERROR_CO_CANCELED);
    });
    Co::cancel($cid);
    posix_kill($slow, SIGKILL);
    echo json_encode(array_slice(Co::waitPid($slow), 1)), "\n";
    var_dump(System::waitPid($slow), swoole_strerror(swoole_last_error()));

    $program = proc_open(['sleep', '30'], [], $pipes);
    $pid = proc_get_status($program)['pid'];
    Swoole\Timer::after(10, fn () => posix_kill($pid, SIGTERM));
    $ended = System::wait(20);
    var_dump($ended['pid'] === $pid, $ended['signal'] === SIGTERM, proc_get_status($program)['termsig'] === SIGTERM);
    proc_close($program);

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
int(7)
int(7)
bool(true)
int(5)
int(0)
array(1) {
  [0]=>
  string(10) "others run"
}
bool(false)
string(20) "Connection timed out"
bool(false)
bool(true)
{"code":0,"signal":9}
bool(false)
string(18) "No child processes"
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(false)
string(18) "No child processes"
