--TEST--
The scheduler collects and runs
--FILE--
<?php

$s = new Swoole\Coroutine\Scheduler;
var_dump(@$s->start());
$s->set(['max_coroutine' => 50]);
var_dump($s->getOptions());
$s->add(function ($a, $b) { Co::sleep(0.002); echo "$a $b\n"; }, 'late', 1);
$s->add(function () { echo "early\n"; });
$n = 0;
$s->parallel(3, function ($x) use (&$n) { $n += $x; }, 5);
var_dump($s->start());
var_dump($n);
Co\run(function () {
    $s = new Swoole\Coroutine\Scheduler;
    $s->add(fn () => 1);
    var_dump($s->start());
    var_dump(Co\run(fn () => 1));
});
--EXPECTF--
bool(false)
array(1) {
  ["max_coroutine"]=>
  int(50)
}
early
late 1
bool(true)
int(15)

Warning: Swoole\Coroutine\Scheduler::start(): eventLoop has already been created. unable to start Swoole\Coroutine\Scheduler in %sbasic.php on line 16
bool(false)

Warning: Swoole\Coroutine\Scheduler::start(): eventLoop has already been created. unable to start Swoole\Coroutine\Scheduler in %sbasic.php on line 17
bool(false)
