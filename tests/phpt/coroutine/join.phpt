--TEST--
join waits for the end of others, with a time limit
--FILE--
<?php

Co\run(function () {
    $a = go(function () { Co::sleep(0.01); echo "a\n"; });
    $b = go(function () { Co::sleep(0.02); echo "b\n"; });
    var_dump(Co::join([$a, $b, 999]));
    echo "joined\n";
    var_dump(Co::join([$a]), Co::join([]));
    $c = go(function () { Co::sleep(0.03); echo "c\n"; });
    var_dump(Co::join([$c], 0.001), swoole_last_error() === SWOOLE_ERROR_CO_TIMEDOUT);
    $d = go(function () use ($c) { var_dump(Co::join([$c])); echo "d joined too\n"; });
    var_dump(Co::join([$c, $d], 1));
    var_dump(Co::join([Co::getCid()]));
});
--EXPECTF--
a
b
bool(true)
joined
bool(false)
bool(false)
bool(false)
bool(true)
c
bool(true)
d joined too
bool(true)

Warning: Swoole\Coroutine::join(): can not join self in %sjoin.php on line 13
bool(false)
