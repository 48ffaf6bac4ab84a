--TEST--
A wait that takes too long is false and errCode says why
--FILE--
<?php

Co\run(function () {
    $c = new Chan(1);
    $t = microtime(true);
    var_dump($c->pop(0.02), $c->errCode === SWOOLE_CHANNEL_TIMEOUT, microtime(true) - $t >= 0.02);
    var_dump($c->push(1, 0.01), $c->errCode);
    var_dump($c->push(2, 0.01), $c->errCode === SWOOLE_CHANNEL_TIMEOUT, $c->length());
    go(function () use ($c) { Co::sleep(0.005); $c->pop(); });
    var_dump($c->push(3, 1), $c->errCode, $c->length());
});
--EXPECT--
bool(false)
bool(true)
bool(true)
bool(true)
int(0)
bool(false)
bool(true)
int(1)
bool(true)
int(0)
int(1)
