--TEST--
Process: System V queues, programs, processors, priorities
--FILE--
<?php
use Swoole\Process;

$child = new Process(function (Process $process) {
    while (($message = $process->pop()) !== 'end') {
        $process->push(strrev($message));
    }
}, false, 0);
var_dump($child->useQueue(), is_int($child->msgQueueId), is_int($child->msgQueueKey));
$child->start();
$child->push('end');
Process::wait();
var_dump($child->statQueue(), $child->push('abc'), $child->statQueue()['queue_num'], $child->pop(), @$child->push(str_repeat('x', 70000)));
Co\run(function () use ($child) {
    go(fn () => var_dump($child->pop()));
    go(fn () => $child->push('while another waits'));
});
var_dump($child->freeQueue(), @$child->pop());

$child = new Process(function (Process $process) {
    $process->exec('/bin/echo', ['replaced', 'by a program']);
}, true);
$child->start();
var_dump($child->read());
Process::wait();
$child = new Process(function (Process $process) {
    $process->exit(@$process->exec('/no/such/program', []) === false ? 4 : 5);
});
$child->start();
var_dump(Process::wait()['code']);

$processors = Process::getAffinity();
var_dump(Process::setAffinity([$processors[0]]), Process::getAffinity() === [$processors[0]], Process::setAffinity($processors), @Process::setAffinity([]), @Process::setAffinity([-1]));
$child = new Process(function (Process $process) { $process->read(); });
$child->start();
var_dump($child->setPriority(PRIO_PROCESS, 5), $child->getPriority(PRIO_PROCESS));
$child->write('go');
Process::wait();
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
array(2) {
  ["queue_num"]=>
  int(0)
  ["queue_bytes"]=>
  int(0)
}
bool(true)
int(1)
string(3) "abc"
bool(false)
string(19) "while another waits"
bool(true)
bool(false)
string(22) "replaced by a program
"
int(4)
bool(true)
bool(true)
bool(true)
bool(false)
bool(false)
bool(true)
int(5)
