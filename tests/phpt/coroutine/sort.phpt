--TEST--
Sorting and walking callbacks may wait
--FILE--
<?php

Co\run(function () {
    $sort = function ($sign) {
        $a = [3, 1, 2, 5, 4];
        usort($a, function ($x, $y) use ($sign) { Co::sleep(0.001); return $sign * ($x <=> $y); });
        echo implode(',', $a), "\n";
    };
    $j = [go($sort, 1), go($sort, -1), go(function () { echo implode(',', array_map(function ($v) { Co::sleep(0.001); return $v * 2; }, [1, 2, 3])), "\n"; })];
    Co::join($j);
    go(function () { echo preg_replace_callback('/\d/', function ($m) { Co::sleep(0.001); return $m[0] + 1; }, 'a1b2c3'), "\n"; });
    go(function () { echo preg_replace_callback('/\d/', function ($m) { Co::sleep(0.001); return $m[0] + 2; }, 'a1b2c3'), "\n"; });
});
--EXPECT--
2,4,6
1,2,3,4,5
5,4,3,2,1
a2b3c4
a3b4c5
