--TEST--
Runtime: a call that blocks all the same is logged with its place and counted
--INI--
swoole.blocking_detection=On
swoole.blocking_threshold=300000
--FILE--
<?php
use Swoole\Coroutine;

var_dump(Stampede\blocking_calls());
Swoole\Runtime::setHookFlags(SWOOLE_HOOK_ALL & ~SWOOLE_HOOK_SLEEP);
Coroutine\run(function () {
    Coroutine::sleep(0.001);
    usleep(600_000);
    Coroutine::sleep(0.001);
    // Waiting as it should, and computing, are something else.
    Coroutine::sleep(0.4);
    $end = hrtime(true) + 450_000_000;
    while (hrtime(true) < $end);
});
$calls = Stampede\blocking_calls();
var_dump($calls['count'], $calls['longest'] > 0.3, $calls['total'] === $calls['longest'], $calls['last']);
?>
--EXPECTF--
array(4) {
  ["count"]=>
  int(0)
  ["total"]=>
  float(0)
  ["longest"]=>
  float(0)
  ["last"]=>
  NULL
}
[%s]	WARNING	usleep() in %sblocking.php:8 blocked the process for 0.%d s: no other coroutine could run meanwhile
int(1)
bool(true)
bool(true)
string(%d) "usleep() in %sblocking.php:8"
