--TEST--
Process: signals on the loop, alarms, children that end while others run
--FILE--
<?php
use Swoole\Process;

swoole_async_set(['wait_signal' => true]); // the loop goes on for the callbacks alone
$seen = [];
Process::signal(SIGUSR1, function (int $number) use (&$seen) {
    $seen[] = $number;
    var_dump(Co::getCid() > 0, $number === SIGUSR1);
    Process::signal(SIGUSR1, null);
});
Process::kill(getmypid(), SIGUSR1);
Swoole\Event::wait();
var_dump(count($seen), @Process::signal(SIGUSR1, null), @Process::signal(SIGKILL, fn () => 1), @Process::signal(99, fn () => 1));

$ticks = 0;
Process::signal(SIGALRM, function () use (&$ticks) {
    if (++$ticks === 3) {
        Process::alarm(-1);
        Process::signal(SIGALRM, null);
    }
});
Process::alarm(2000);
Swoole\Event::wait();
var_dump($ticks);

$children = [];
for ($i = 1; $i <= 3; $i++) {
    $child = new Process(fn (Process $process) => $process->exit($i));
    $children[$child->start()] = $i;
}
Process::signal(SIGCHLD, function () use (&$children) {
    while ($ended = Process::wait(false)) {
        var_dump($children[$ended['pid']] === $ended['code']);
        unset($children[$ended['pid']]);
    }
    if ($children === []) {
        Process::signal(SIGCHLD, null);
    }
});
Process::kill(getmypid(), SIGCHLD);
Swoole\Event::wait();

// The child of a script with a handler has the default one.
Process::signal(SIGTERM, fn () => print("not in the child\n"));
$child = new Process(function () { sleep(100); });
$child->start();
Process::kill($child->pid);
var_dump(Process::wait()['signal'] === SIGTERM);
Process::signal(SIGTERM, null);
?>
--EXPECT--
bool(true)
bool(true)
int(1)
bool(false)
bool(false)
bool(false)
int(3)
bool(true)
bool(true)
bool(true)
bool(true)
