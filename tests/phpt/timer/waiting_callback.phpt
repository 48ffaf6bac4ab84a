--TEST--
A callback may wait; a repeating timer goes on meanwhile
--FILE--
<?php

use Swoole\Timer;
Co\run(function () {
    $running = $most = $calls = 0;
    $id = Timer::tick(5, function ($id) use (&$running, &$most, &$calls) {
        $calls++;
        $most = max($most, ++$running);
        Co::sleep(0.02);
        $running--;
    });
    Co::sleep(0.06);
    Timer::clear($id);
    Co::sleep(0.03);
    var_dump($most > 1, $calls >= 5, $running);
});
--EXPECT--
bool(true)
bool(true)
int(0)
