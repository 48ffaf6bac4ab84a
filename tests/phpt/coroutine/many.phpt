--TEST--
A hundred thousand coroutines wait at once
--FILE--
<?php

Co::set(['max_coroutine' => 100001]);
$sum = 0;
Co\run(function () use (&$sum) {
    for ($i = 0; $i < 100000; $i++) {
        go(function () use (&$sum, $i) { Co::sleep(0.01); $sum += $i; });
    }
    echo Co::stats()['coroutine_num'], "\n";
});
var_dump($sum);
--EXPECT--
100001
int(4999950000)
