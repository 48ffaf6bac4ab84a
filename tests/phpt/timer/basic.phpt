--TEST--
Timers: after, tick, clear, info, list, stats
--FILE--
<?php

use Swoole\Timer;
Co\run(function () {
    $log = [];
    Timer::after(10, function (...$a) use (&$log) { $log[] = 'after ' . implode(',', $a) . ' in ' . (Co::getCid() > 1 ? 'a coroutine' : 'none'); }, 'x', 'y');
    $id = Timer::tick(5, function ($id, $p) use (&$log) {
        static $n = 0;
        $log[] = "tick $p";
        if (++$n === 3) var_dump(Timer::clear($id), Timer::exists($id));
    }, 'p');
    var_dump(Timer::exists($id), Timer::exists(999), array_keys(Timer::info($id)), Timer::info(999));
    var_dump(Timer::info($id)['exec_msec'], Timer::info($id)['removed'], count(iterator_to_array(Timer::list())), Timer::stats()['num']);
    while (count($log) < 4) { Co::sleep(0.002); }
    sort($log);
    print_r($log);
    var_dump(Timer::stats()['num']);
    $kept = Timer::after(10000, fn () => print("never"));
    var_dump(Timer::clear($kept), Timer::clear($kept), Timer::exists($kept));
    Timer::tick(1, fn () => print("never"));
    Timer::after(1, fn () => print("never"));
    var_dump(Timer::clearAll(), Timer::stats()['num']);
    $ended = new Swoole\Coroutine\Channel(1);
    Timer::tick(1, function ($id) use ($ended) {
        Timer::clear($id);
        var_dump(Timer::info($id)['removed'], Timer::exists($id), Timer::stats()['num']);
        Co::sleep(0.001);
        var_dump(Timer::info($id));
        $ended->push(true);
    });
    $ended->pop(10);
    var_dump(Timer::after(0, fn () => 1));
    var_dump(Timer::tick(-5, fn () => 1));
    foreach (['swoole_timer_after', 'swoole_timer_tick', 'swoole_timer_clear_all', 'swoole_timer_exists'] as $f) var_dump(function_exists($f));
    var_dump(swoole_timer_exists(swoole_timer_after(1, fn () => print("function\n"))), is_a('swoole_timer', 'Swoole\Timer', true));
});
--EXPECTF--
bool(true)
bool(false)
array(5) {
  [0]=>
  string(9) "exec_msec"
  [1]=>
  string(10) "exec_count"
  [2]=>
  string(8) "interval"
  [3]=>
  string(5) "round"
  [4]=>
  string(7) "removed"
}
NULL
int(5)
bool(false)
int(2)
int(2)
bool(true)
bool(false)
Array
(
    [0] => after x,y in a coroutine
    [1] => tick p
    [2] => tick p
    [3] => tick p
)
int(0)
bool(true)
bool(false)
bool(false)
bool(true)
int(0)
bool(true)
bool(false)
int(0)
NULL

Warning: Swoole\Timer::after(): Timer must be greater than or equal to 1 in %sbasic.php on line 32
bool(false)

Warning: Swoole\Timer::tick(): Timer must be greater than or equal to 1 in %sbasic.php on line 33
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
function
