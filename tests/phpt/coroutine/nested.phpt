--TEST--
Creating deep inside creation comes back in order, and deep recursion works
--FILE--
<?php

Co\run(function () {
    $depth = function ($n) use (&$depth) {
        if ($n === 0) { echo "bottom ", Co::getCid(), "\n"; return; }
        go($depth, $n - 1);
        if ($n % 50 === 0) echo "back at $n\n";
    };
    $depth(200);
    $recurse = function ($n) use (&$recurse) { if ($n % 5000 === 0) Co::sleep(0.001); return $n === 0 ? 0 : 1 + $recurse($n - 1); };
    $a = go(function () use ($recurse) { echo $recurse(20000), "\n"; });
    $b = go(function () use ($recurse) { echo $recurse(10000), "\n"; });
    Co::join([$a, $b]);
    $depth = $recurse = null;
});
var_dump(Co::stats()['coroutine_num'], Co::stats()['coroutine_peak_num']);
--EXPECT--
bottom 201
back at 50
back at 100
back at 150
back at 200
10000
20000
int(0)
int(201)
