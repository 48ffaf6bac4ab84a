--TEST--
System::waitPid(): numbers that are no pid name no other child
--EXTENSIONS--
pcntl
--FILE--
<?php
$pid = pcntl_fork();
if ($pid === 0) {
    exit(3);
}
Co\run(function () use ($pid): void {
    foreach ([(1 << 32) + $pid, (1 << 32) - 1, PHP_INT_MIN, PHP_INT_MAX] as $number) {
        var_dump(Co\System::waitPid($number, 10), swoole_strerror(swoole_last_error()));
    }
    var_dump(Co\System::waitPid($pid)['code']);
});
?>
--EXPECT--
bool(false)
string(18) "No child processes"
bool(false)
string(18) "No child processes"
bool(false)
string(18) "No child processes"
bool(false)
string(18) "No child processes"
int(3)
