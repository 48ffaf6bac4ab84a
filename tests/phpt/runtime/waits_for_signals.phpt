--TEST--
Runtime: pcntl_sigtimedwait() and pcntl_sigwaitinfo() take signals that are not blocked, as outside of coroutines
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
pcntl_async_signals(true);
$handled = 0;
pcntl_signal(SIGUSR1, static function () use (&$handled): void {
    $handled++;
});
function mask(): array
{
    pcntl_sigprocmask(SIG_BLOCK, [SIGURG], $blocked);
    pcntl_sigprocmask(SIG_UNBLOCK, [SIGURG]);
    return $blocked;
}
Swoole\Runtime::enableCoroutine(SWOOLE_HOOK_ALL);
Swoole\Coroutine\run(static function () use (&$handled): void {
    $got = new Swoole\Coroutine\Channel(2);
    foreach (['with a limit', 'without'] as $kind) {
        $waiter = go(static function () use ($kind, $got): void {
            $info = [];
            $signal = $kind === 'without' ? pcntl_sigwaitinfo([SIGUSR1, SIGUSR2], $info) : pcntl_sigtimedwait([SIGUSR1, SIGUSR2], $info, 20);
            $got->push([$signal === $info['signo'], $signal === SIGUSR1 || $signal === SIGUSR2]);
        });
        posix_kill(posix_getpid(), SIGUSR1);
        echo $kind, ': ', json_encode($got->pop(10)), "\n";
        Swoole\Coroutine::join([$waiter]);
    }
    echo "the handler was not called: $handled\n";
    // Two at once, each takes one.
    $waiters = [];
    for ($i = 0; $i < 2; $i++) {
        $waiters[] = go(static fn () => $got->push(pcntl_sigtimedwait([SIGUSR1, SIGUSR2], $info, 20)));
    }
    posix_kill(posix_getpid(), SIGUSR1);
    posix_kill(posix_getpid(), SIGUSR2);
    $both = [$got->pop(10), $got->pop(10)];
    sort($both);
    echo 'two at once: ', json_encode($both === [SIGUSR1, SIGUSR2]), "\n";
    Swoole\Coroutine::join($waiters);
    echo 'none in its time: ', json_encode(in_array(@pcntl_sigtimedwait([SIGUSR1], $info, 0, 1_000_000), [-1, false], true)), "\n";
    // One that is cancelled.
    $waiter = go(static fn () => @pcntl_sigwaitinfo([SIGUSR1], $info));
    echo 'blocked meanwhile: ', json_encode(mask() === [SIGUSR1]), "\n";
    Swoole\Coroutine::cancel($waiter);
    Swoole\Coroutine::join([$waiter]);
    posix_kill(posix_getpid(), SIGUSR1);
    echo 'afterwards: ', json_encode([mask(), $handled]), "\n";
});
?>
--EXPECT--
with a limit: [true,true]
without: [true,true]
the handler was not called: 0
two at once: true
none in its time: true
blocked meanwhile: true
afterwards: [[],1]
