--TEST--
Atomic: wakeup() ends as many waits as it says, one of them takes the 1; set() ends none; in processes and in coroutines
--FILE--
<?php
use Swoole\Atomic;
use Swoole\Process;

foreach ([false, true] as $in_coroutines) {
    $gun = new Atomic();
    [$ready, $true, $false] = [new Atomic(), new Atomic(), new Atomic()];
    for ($i = 0; $i < 4; $i++) {
        (new Process(function () use ($gun, $ready, $true, $false) {
            $ready->add();
            $gun->wait(-1) ? $true->add() : $false->add();
        }, false, 0, $in_coroutines))->start();
    }
    $until = function (callable $holds): bool {
        for ($end = microtime(true) + 10; !$holds() && microtime(true) < $end;) {
            usleep(1000);
        }
        return $holds();
    };
    $until(fn () => $ready->get() === 4);
    usleep(50000); // from the number to the wait of the last one
    $gun->set(0);
    $gun->wakeup(3);
    var_dump($until(fn () => $true->get() + $false->get() === 3), $true->get(), $false->get(), $gun->get());
    $gun->wakeup();
    var_dump($until(fn () => $true->get() + $false->get() === 4), $true->get());
    while (Process::wait(false) !== false || $true->get() + $false->get() < 4) {
    }
}

// What is there is taken, and what only set() has put there ends no wait.
$atomic = new Atomic(1);
var_dump($atomic->wait(0.01), $atomic->wait(0.01), $atomic->wakeup(), $atomic->wait(0));

// A hand-over between coroutines of two processes takes no steps of milliseconds.
[$ping, $pong] = [new Atomic(), new Atomic()];
(new Process(function () use ($ping, $pong) {
    for ($i = 0; $i < 200; $i++) {
        $ping->wait(10);
        $pong->wakeup();
    }
}, false, 0, true))->start();
Co\run(function () use ($ping, $pong) {
    $began = microtime(true);
    for ($i = 0; $i < 200; $i++) {
        $ping->wakeup();
        $pong->wait(10);
    }
    var_dump(microtime(true) - $began < 0.3);
});
Process::wait();
?>
--EXPECT--
bool(true)
int(1)
int(2)
int(0)
bool(true)
int(2)
bool(true)
int(1)
int(2)
int(0)
bool(true)
int(2)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
