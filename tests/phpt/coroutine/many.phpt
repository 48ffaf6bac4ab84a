--TEST--
A hundred thousand coroutines wait at once
--FILE--
<?php

// PHP 8.6 keeps to itself what makes a stack. Those of its own making are two mappings each, of which the kernel allows 65,530.
$count = PHP_VERSION_ID < 80600 ? 100_000 : 30_000;
Co::set(['max_coroutine' => $count + 1]);
$sum = 0;
Co\run(function () use (&$sum, $count) {
    for ($i = 0; $i < $count; $i++) {
        go(function () use (&$sum, $i) { Co::sleep(0.01); $sum += $i; });
    }
    var_dump(Co::stats()['coroutine_num'] === $count + 1);
});
var_dump($sum === intdiv($count * ($count - 1), 2));
--EXPECT--
bool(true)
bool(true)
