--TEST--
The silence operator is one coroutine's own
--FILE--
<?php

Co\run(function () {
    $heard = new Co\Channel();
    go(function () use ($heard) { @(function () use ($heard) { $heard->pop(); echo $undefined; })(); echo "silent\n"; });
    go(function () use ($heard) { Co::sleep(0.001); echo error_reporting() === E_ALL ? "loud\n" : "bad\n"; $heard->push(true); });
    @go(function () { echo error_reporting() === E_ALL ? "loud in a silenced go\n" : "bad\n"; });
    go(function () { error_reporting(E_ALL & ~E_NOTICE); go(function () { echo error_reporting() === (E_ALL & ~E_NOTICE) ? "inherited\n" : "bad\n"; }); });
});
--EXPECT--
loud in a silenced go
inherited
loud
silent
