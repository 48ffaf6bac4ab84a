--TEST--
Deferred calls run last one first, after an exception too
--ENV--
USE_TRACKED_ALLOC=1
--FILE--
<?php

Co\run(function () {
    go(function () {
        defer(function () { echo "first deferred\n"; });
        Co::defer(function () { echo "second deferred ", Co::getCid(), "\n"; Co::sleep(0.001); echo "still in it\n"; });
        echo "body\n";
    });
    Co::sleep(0.01);
    foreach ([fn () => [1, 'two'], function () {}, function &() { static $three = 3; return $three; }] as $body) {
        go(function () use ($body) {
            defer(function ($result = 'none') { echo 'first deferred: ', json_encode($result), "\n"; });
            defer(function ($result = 'none') { $result = 'changed'; });
            return $body();
        });
    }
    go(function () {
        defer(function ($result = 'none') { echo 'suspended before: ', json_encode($result), "\n"; });
        Co::sleep(0.001);
        return new ArrayObject(['value']);
    });
    Co::sleep(0.01);
    echo "on\n";
    set_exception_handler(function ($e) { echo "handler: ", $e->getMessage(), "\n"; });
    go(function () {
        defer(function () { echo "deferred after exception\n"; });
        throw new Exception('oops');
    });
});
--EXPECT--
body
second deferred 2
still in it
first deferred
first deferred: [1,"two"]
first deferred: null
first deferred: 3
suspended before: {"0":"value"}
on
handler: oops
deferred after exception
