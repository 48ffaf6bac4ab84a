--TEST--
Fibers work inside coroutines, and coroutines inside Fibers
--FILE--
<?php

Co\run(function () {
    $fiber = new Fiber(function ($x) {
        echo "fiber got $x\n";
        Co::sleep(0.002);
        echo "fiber in ", Co::getCid(), " slept\n";
        $y = Fiber::suspend('suspended');
        Co::sleep(0.002);
        return "returned $y";
    });
    go(function () { Co::sleep(0.001); echo "another coroutine meanwhile\n"; });
    var_dump($fiber->start('start'));
    $other = new Chan;
    go(function () use ($fiber, $other) {
        $fiber->resume('from another coroutine');
        $other->push($fiber->getReturn());
    });
    var_dump($other->pop());
    $f2 = new Fiber(function () {
        $cid = go(function () {
            echo "coroutine made in a fiber\n";
            try { Fiber::suspend(); } catch (FiberError $e) { echo $e->getMessage(), "\n"; }
            Co::yield();
            echo "resumed\n";
        });
        Fiber::suspend($cid);
        echo "fiber ends\n";
    });
    $cid = $f2->start();
    Co::resume($cid);
    $f2->resume();
    $f3 = new Fiber(function () { try { Co::sleep(1); } finally { echo "f3 finally\n"; } });
    $c = go(function () use ($f3) { $f3->start(); });
    try { $f3->resume(); } catch (FiberError $e) { echo $e->getMessage(), "\n"; }
    Co::cancel($c);
});
$f = new Fiber(function () { go(function () { Fiber::getCurrent() === null and print("no fiber in a coroutine\n"); Co::sleep(0.001); echo "done\n"; }); Fiber::suspend(); });
$f->start();
Swoole\Event::wait();
--EXPECT--
fiber got start
another coroutine meanwhile
fiber in 1 slept
string(9) "suspended"
string(31) "returned from another coroutine"
coroutine made in a fiber
Cannot suspend outside of a fiber
resumed
fiber ends
Cannot resume a fiber that is not suspended
f3 finally
no fiber in a coroutine
done
