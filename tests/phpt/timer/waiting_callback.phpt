--TEST--
A callback may wait; a repeating timer goes on meanwhile
--FILE--
<?php

use Swoole\Timer;
Co\run(function () {
    $running = $most = $calls = 0;
    $id = Timer::tick(2, function ($id) use (&$running, &$most, &$calls) {
        $calls++;
        $most = max($most, ++$running);
        while ($calls < 5) { Co::sleep(0.002); }
        $running--;
    });
    $deadline = microtime(true) + 10;
    while ($calls < 6 && microtime(true) < $deadline) { Co::sleep(0.002); }
    Timer::clear($id);
    Co::sleep(0.01);
    var_dump($most >= 4, $calls >= 6, $running);
});
--EXPECT--
bool(true)
bool(true)
int(0)
