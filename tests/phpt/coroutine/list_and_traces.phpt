--TEST--
list, stats, traces of waiting coroutines
--FILE--
<?php

function waits() { Co::sleep(0.01); }
Co\run(function () {
    $a = go(function () { waits(); });
    $b = go('waits');
    $list = Co::list();
    var_dump(get_class($list), iterator_to_array($list) === [Co::getCid(), $a, $b], count(Co::listCoroutines()));
    $trace = Co::getBackTrace($a);
    var_dump(array_map(fn ($f) => ($f['class'] ?? '') . ($f['type'] ?? '') . preg_replace('/^\{closure.*/', '{closure}', $f['function']), $trace));
    var_dump(array_column(Co::getBackTrace($a, DEBUG_BACKTRACE_IGNORE_ARGS, 1), 'function'));
    var_dump(Co::getBackTrace(999));
    Co::printBackTrace($b);
    var_dump(array_column(Co::getBackTrace(limit: 1), 'function'));
    var_dump(Co::getElapsed($a) >= 0, Co::getElapsed(999), Co::getStackUsage($a) > 0, Co::getStackUsage(999));
    $stats = Co::stats();
    var_dump($stats['coroutine_num'], $stats['coroutine_peak_num'] >= 3, $stats['coroutine_last_cid'] === $b);
    debug_print_backtrace();
});
--EXPECTF--
string(25) "Swoole\Coroutine\Iterator"
bool(true)
int(3)
array(3) {
  [0]=>
  string(23) "Swoole\Coroutine::sleep"
  [1]=>
  string(5) "waits"
  [2]=>
  string(9) "{closure}"
}
array(1) {
  [0]=>
  string(5) "sleep"
}
bool(false)
#0 %slist_and_traces.php(3): Swoole\Coroutine::sleep(0.01)
#1 [internal function]: waits()
array(1) {
  [0]=>
  string(12) "getBackTrace"
}
bool(true)
int(-1)
bool(true)
bool(false)
int(3)
bool(true)
bool(true)
#0 [internal function]: {closure%S}()
