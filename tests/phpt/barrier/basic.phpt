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
    go(function () use ($slow) { Co::sleep(0.05); echo "slow\n"; });
    $t = microtime(true);
    Barrier::wait($slow, 0.01);
    var_dump(microtime(true) - $t < 0.04);
    Co::sleep(0.06);
    try { $x = 5; Barrier::wait($x); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
});
--EXPECT--
int(4)
NULL
nobody else
bool(true)
slow
Swoole\Coroutine\Barrier::wait(): Argument #1 ($barrier) must be of type Swoole\Coroutine\Barrier, int given
