--TEST--
Deferred calls run last one first, after an exception too
--FILE--
<?php

Co\run(function () {
    go(function () {
        defer(function () { echo "first deferred\n"; });
        Co::defer(function () { echo "second deferred ", Co::getCid(), "\n"; Co::sleep(0.001); echo "still in it\n"; });
        echo "body\n";
    });
    Co::sleep(0.01);
    set_exception_handler(function ($e) { echo "handler: ", $e->getMessage(), "\n"; });
    go(function () {
        defer(function () { echo "deferred after exception\n"; });
        throw new Exception('oops');
    });
    echo "on\n";
});
--EXPECT--
body
second deferred 2
still in it
first deferred
handler: oops
deferred after exception
on
