--TEST--
Process: number and callback of an object, priorities of processes alone without a number, select() of pipes
--FILE--
<?php
use Swoole\Process;

$function = fn (Process $process) => $process->write("$process->id from {$process->read()}");
$first = new Process($function);
$second = new Process($function);
var_dump($first->id, $second->id, (new ReflectionProperty($first, 'callback'))->getValue($first) === $function);

var_dump($first->getPriority(PRIO_USER), swoole_last_error(), $first->setPriority(PRIO_USER, 5), swoole_last_error());
var_dump($first->getPriority(77), swoole_last_error());

$first->start();
$second->start();
$second->write('parent');
$read = ['first' => $first, 'second' => $second];
$write = $error = [];
var_dump(swoole_select($read, $write, $error, 5), array_keys($read), $second->read());
$first->write('parent');
var_dump($first->read());
Process::wait();
Process::wait();
?>
--EXPECTF--
int(1)
int(2)
bool(true)

Warning: Swoole\Process::getPriority(): the parameter $who is needed for another kind than PRIO_PROCESS in %s on line %d

Warning: Swoole\Process::setPriority(): the parameter $who is needed for another kind than PRIO_PROCESS in %s on line %d
bool(false)
int(505)
bool(false)
int(505)
bool(false)
int(22)
int(1)
array(1) {
  [0]=>
  string(6) "second"
}
string(13) "2 from parent"
string(13) "1 from parent"
