--TEST--
Coroutine::set(): exit_condition decides whether a loop without work ends
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Process;

$asked = 0;
$done = false;
Coroutine::set(['exit_condition' => static function () use (&$asked, &$done): bool {
    if (++$asked === 1) {
        posix_kill(posix_getpid(), SIGUSR2);  // what comes keeps no loop by itself
    }
    return $done;
}]);
Process::signal(SIGUSR2, static function () use (&$done): void {
    echo "signal\n";
    $done = true;
});
Coroutine\run(static function (): void {
    echo "run\n";
});
var_dump($done, $asked > 1);
Process::signal(SIGUSR2, null);
?>
--EXPECT--
run
signal
bool(true)
bool(true)
