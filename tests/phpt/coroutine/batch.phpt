--TEST--
batch, parallel and map run side by side and collect
--FILE--
<?php

use function Swoole\Coroutine\{batch, parallel, map};
Co\run(function () {
    $running = $most = 0;
    $task = function ($result) use (&$running, &$most) {
        $most = max($most, ++$running);
        Co::sleep(0.005);
        $running--;
        return $result;
    };
    var_dump(batch(['a' => fn () => $task(1), 'b' => fn () => null, 7 => fn () => $task([2])]), $most, $running);
    $over = false;
    var_dump(batch(['slow' => function () use (&$over) { while (!$over) Co::sleep(0.002); return 1; }, 'fast' => fn () => 'f'], 0.01));
    $over = true;
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
int(2)
int(0)
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
