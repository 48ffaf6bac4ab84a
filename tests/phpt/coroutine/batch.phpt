--TEST--
batch, parallel and map run side by side and collect
--FILE--
<?php

use function Swoole\Coroutine\{batch, parallel, map};
Co\run(function () {
    $t = microtime(true);
    $r = batch(['a' => function () { Co::sleep(0.02); return 1; }, 'b' => fn () => null, 7 => function () { Co::sleep(0.02); return [2]; }]);
    var_dump($r, microtime(true) - $t < 0.035);
    var_dump(batch(['slow' => function () { Co::sleep(0.05); return 1; }, 'fast' => fn () => 'f'], 0.01));
    $n = 0;
    parallel(3, function () use (&$n) { Co::sleep(0.001); $n++; });
    var_dump($n);
    var_dump(map(['x' => 1, 'y' => 2], function ($v) { Co::sleep(0.001); return $v * 2; }));
    var_dump(map([], fn ($v) => $v), batch([]));
});
--EXPECT--
array(3) {
  ["a"]=>
  int(1)
  ["b"]=>
  NULL
  [7]=>
  array(1) {
    [0]=>
    int(2)
  }
}
bool(true)
array(2) {
  ["slow"]=>
  NULL
  ["fast"]=>
  string(1) "f"
}
int(3)
array(2) {
  ["x"]=>
  int(2)
  ["y"]=>
  int(4)
}
array(0) {
}
array(0) {
}
