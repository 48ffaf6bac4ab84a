--TEST--
A barrier waits until nobody else holds it
--FILE--
<?php

use Swoole\Coroutine\Barrier;
Co\run(function () {
    $barrier = Barrier::make();
    $count = 0;
    for ($i = 0; $i < 4; $i++) go(function () use ($barrier, &$count) { Co::sleep(0.005); $count++; });
    Barrier::wait($barrier);
    var_dump($count, $barrier);
    $alone = Barrier::make();
    Barrier::wait($alone);
    echo "nobody else\n";
    $slow = Barrier::make();
    $over = false;
    go(function () use ($slow, &$over) { while (!$over) Co::sleep(0.002); echo "slow\n"; });
    Barrier::wait($slow, 0.01);
    echo "did not wait for the slow one\n";
    $over = true;
    try { $x = 5; Barrier::wait($x); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
});
--EXPECT--
int(4)
NULL
nobody else
did not wait for the slow one
Swoole\Coroutine\Barrier::wait(): Argument #1 ($barrier) must be of type Swoole\Coroutine\Barrier, int given
slow
