--TEST--
Process: a signal callback keeps no loop and standard error goes to the pipe
--FILE--
<?php
use Swoole\Process;

Process::signal(SIGUSR2, static fn () => 1);
Swoole\Event::wait();
Swoole\Coroutine\run(static fn () => Swoole\Coroutine::sleep(0.001));
var_dump('both came back');
Process::signal(SIGUSR2, null);

$child = new Process(static function (Process $process): void {
    $process->exec('/bin/sh', ['-c', 'echo out; echo err >&2']);
}, true, 1);
$child->start();
$said = '';
while (strlen($said) < 8) {
    $said .= $child->read();
}
echo $said;
Process::wait();
?>
--EXPECT--
string(14) "both came back"
out
err
