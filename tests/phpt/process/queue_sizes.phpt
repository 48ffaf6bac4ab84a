--TEST--
Process::push() and pop(): messages of all sizes one after another, and what does not fit is cut
--FILE--
<?php
use Swoole\Process;

$process = new Process(fn () => null);
$process->useQueue(0x5150 + getmypid(), 2);
// A long message before each short one: nothing of it may be left behind.
foreach ([1, 2, 8192, 100, 8191, 1, 8000, 7, 4096] as $size) {
    $message = substr(str_repeat("$size\0bytes ", 1024), 0, $size);
    if (!$process->push($message) || $process->pop() !== $message) {
        echo "$size bytes: not the same\n";
    }
}
$process->push('cut here, not there');
var_dump($process->pop(8));
$process->push('first');
$process->push('second');
var_dump($process->pop(), $process->pop(), @$process->push(str_repeat('x', 65536)));
$process->freeQueue();
?>
--EXPECT--
string(8) "cut here"
string(5) "first"
string(6) "second"
bool(false)
