--TEST--
System::waitSignal(): one or several, time limits, cancelling, handlers of pcntl beside it
--EXTENSIONS--
posix
--FILE--
<?php
use Swoole\Coroutine as Co;
use Swoole\Coroutine\System;

Co\run(function (): void {
    $send = static function (int $signal): void {
        go(function () use ($signal): void {
            System::sleep(0.01);
            posix_kill(getmypid(), $signal);
        });
    };
    $send(SIGUSR1);
    var_dump(System::waitSignal(SIGUSR1) === SIGUSR1);
    $send(SIGTERM);
    var_dump(System::waitSignal([SIGINT, SIGTERM], 20) === SIGTERM);
    var_dump(System::waitSignal(SIGUSR2, 0.01), swoole_strerror(swoole_last_error()));
    foreach ([SIGKILL, 0, -1, 1000] as $none) {
        var_dump(System::waitSignal($none), swoole_last_error());
    }
    var_dump(System::waitSignal([]), swoole_last_error());

    $both = new Co\Channel(2);
    go(fn () => $both->push(System::waitSignal(SIGUSR1)));
    go(fn () => $both->push(System::waitSignal(SIGUSR1)));
    $send(SIGUSR1);
    var_dump($both->pop(20) + $both->pop(20) === 2 * SIGUSR1);

    pcntl_async_signals(true);
    pcntl_signal(SIGUSR2, function (): void { echo "handler\n"; });
    $send(SIGUSR2);
    var_dump(System::waitSignal(SIGUSR2) === SIGUSR2);
    posix_kill(getmypid(), SIGUSR2);

    $cid = go(function (): void {
        var_dump(System::waitSignal(SIGUSR1), swoole_last_error() === SWOOLE_ERROR_CO_CANCELED);
    });
    Co::cancel($cid);
    var_dump(Co::stats()['signal_listener_num']);
});
// Nobody waits any more: it acts as usual.
$pid = pcntl_fork();
if ($pid === 0) {
    posix_kill(getmypid(), SIGUSR1);
    sleep(10);
    exit(0);
}
pcntl_waitpid($pid, $status);
var_dump(pcntl_wtermsig($status) === SIGUSR1);
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
string(20) "Connection timed out"
bool(false)
int(22)
bool(false)
int(22)
bool(false)
int(22)
bool(false)
int(22)
bool(false)
int(22)
bool(true)
handler
bool(true)
handler
bool(false)
bool(true)
int(0)
bool(true)
