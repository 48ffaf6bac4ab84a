--TEST--
Process::alarm(): one that goes on at the end of the script does not end the process by its signal
--EXTENSIONS--
pcntl
--FILE--
<?php
use Swoole\Process;

$pid = pcntl_fork();
if ($pid === 0) {
    Process::signal(SIGALRM, function (): void {
        static $count = 0;
        if (++$count === 3) {
            echo "ends\n";
            Swoole\Event::exit();
        }
    });
    Process::alarm(200);
    Swoole\Timer::tick(1000, fn () => 1);
    Swoole\Event::wait();
    return;
}
pcntl_waitpid($pid, $status);
var_dump(pcntl_wifexited($status), pcntl_wexitstatus($status));
?>
--EXPECT--
ends
bool(true)
int(0)
