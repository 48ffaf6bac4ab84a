--TEST--
Destructors may wait; in the garbage collector they may not where the engine forbids it
--FILE--
<?php

class Waits { public $self; function __construct(public $n) {} function __destruct() { Co::sleep(0.001); echo "destroyed $this->n in ", Co::getCid() === -1 ? 'main' : 'coroutine', "\n"; } }
Co\run(function () {
    go(function () { $w = new Waits(1); unset($w); echo "after unset\n"; });
    go(function () { $w = new Waits(2); });
    Co::sleep(0.01);
    try {
        $w = new Waits(3);
        $w->self = $w;
        unset($w);
        gc_collect_cycles();
        echo "collected\n";
    } catch (Error $e) {
        echo get_class($e), "\n";
    }
    for ($i = 0; $i < 20000; $i++) { $a = new stdClass; $a->a = $a; if ($i % 5000 === 0) Co::sleep(0.001); }
    echo "garbage made\n";
});
--EXPECT--
destroyed 1 in coroutine
after unset
destroyed 2 in coroutine
destroyed 3 in coroutine
collected
garbage made
