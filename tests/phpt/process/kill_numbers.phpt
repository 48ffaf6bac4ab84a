--TEST--
Process::kill(): numbers that are no pid or no signal name no other process and no other signal
--EXTENSIONS--
posix
--FILE--
<?php
use Swoole\Process;

// Cut to 32 bits these are 0, the own group, and the own pid.
foreach ([1 << 32, (1 << 32) + posix_getpid(), -(1 << 32)] as $pid) {
    var_dump(Process::kill($pid, 0), swoole_strerror(swoole_errno()));
}
foreach ([1 << 32, -(1 << 32), -1] as $signal) {
    var_dump(Process::kill(posix_getpid(), $signal));
}
var_dump(Process::kill(posix_getpid(), 0));
?>
--EXPECTF--
bool(false)
string(15) "No such process"
bool(false)
string(15) "No such process"
bool(false)
string(15) "No such process"

Warning: Swoole\Process::kill(): kill(%d, 4294967296) failed: Invalid argument in %s on line %d
bool(false)

Warning: Swoole\Process::kill(): kill(%d, -4294967296) failed: Invalid argument in %s on line %d
bool(false)

Warning: Swoole\Process::kill(): kill(%d, -1) failed: Invalid argument in %s on line %d
bool(false)
bool(true)
