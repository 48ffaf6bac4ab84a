--TEST--
close ends every wait; what is inside can still be taken
--FILE--
<?php

Co\run(function () {
    $c = new Chan(1);
    $c->push('left');
    go(function () use ($c) { var_dump($c->push('x')); var_dump($c->errCode === SWOOLE_CHANNEL_CLOSED); });
    var_dump($c->close(), $c->close());
    var_dump($c->pop(), $c->errCode);
    var_dump($c->pop(), $c->errCode === SWOOLE_CHANNEL_CLOSED, $c->push(1));
    $d = new Chan(1);
    for ($i = 0; $i < 2; $i++) go(function () use ($d, $i) { echo "$i ", var_export($d->pop(), true), "\n"; });
    $d->close();
    echo "closed\n";
});
--EXPECT--
bool(false)
bool(true)
bool(true)
bool(false)
string(4) "left"
int(0)
bool(false)
bool(true)
bool(false)
0 1 false
false
closed
