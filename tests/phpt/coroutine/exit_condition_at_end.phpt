--TEST--
Coroutine::set(): exit_condition keeps a script that has nothing left but a signal handler
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
        posix_kill(posix_getpid(), SIGUSR2);
    }
    return $done;
}]);
Process::signal(SIGUSR2, static function () use (&$done): void {
    echo "signal\n";
    $done = true;
    Process::signal(SIGUSR2, null);
});
echo "last line\n";
?>
--EXPECT--
last line
signal
