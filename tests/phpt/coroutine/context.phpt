--TEST--
A coroutine's context is its own, reads as array and object, and ends with it
--FILE--
<?php

class Noisy { function __destruct() { echo "context gone\n"; } }
Co\run(function () {
    $ctx = Co::getContext();
    var_dump(get_class($ctx), $ctx === Co::getContext());
    $ctx['a'] = 1;
    $ctx->b = 2;
    var_dump($ctx->a, $ctx['b'], count($ctx), isset($ctx['c']));
    $cid = go(function () {
        var_dump(isset(Co::getContext()['a']));
        Co::getContext()['noisy'] = new Noisy;
        Co::yield();
        echo "ending\n";
    });
    var_dump(isset(Co::getContext($cid)['noisy']), Co::getContext(999));
    Co::resume($cid);
    echo "after\n";
});
--EXPECT--
string(24) "Swoole\Coroutine\Context"
bool(true)
int(1)
int(2)
int(2)
bool(false)
bool(false)
bool(true)
NULL
ending
context gone
after
