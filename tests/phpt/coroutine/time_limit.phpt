--TEST--
A time limit throws where the coroutine waits
--FILE--
<?php

Co\run(function () {
    go(function () {
        Co::setTimeLimit(0.01);
        try { Co::sleep(1); } catch (Swoole\Coroutine\TimeoutException $e) { echo "timed out\n"; }
        Co::sleep(0.02);
        echo "once\n";
    });
    go(function () { Co::setTimeLimit(0.005); Co::sleep(0.001); echo "in time\n"; });
    $t = microtime(true);
});
--EXPECT--
in time
timed out
once
