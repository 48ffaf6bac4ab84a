--TEST--
Coroutines share globals and static variables
--FILE--
<?php

function counter() { static $n = 0; $x = ++$n; Co::sleep(0.001); return $x; }
Co\run(function () {
    $got = [];
    for ($i = 0; $i < 3; $i++) go(function () use (&$got) { $got[] = counter(); });
    Co::sleep(0.01);
    echo implode(',', $got), "\n";
    $GLOBALS['g'] = 1;
    go(function () { global $g; $g++; Co::sleep(0.001); $g++; });
    Co::sleep(0.01);
    var_dump($GLOBALS['g']);
});
--EXPECT--
1,2,3
int(3)
