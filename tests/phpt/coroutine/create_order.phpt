--TEST--
create runs the coroutine at once and comes back when it waits or ends
--FILE--
<?php

echo "start\n";
$cid = go(function (string $a, int ...$rest) {
    echo "in ", Co::getCid(), " $a ", implode(',', $rest), "\n";
}, 'x', 1, 2);
var_dump($cid);
var_dump(Co::getCid(), Swoole\Coroutine::getuid(), Co::getPcid());
Co\run(function () {
    echo "outer ", Co::getCid(), " of ", Co::getPcid(), "\n";
    $inner = Swoole\Coroutine::create(function () {
        echo "inner ", Co::getCid(), " of ", Co::getPcid(), "\n";
        Co::sleep(0.01);
        echo "inner again\n";
    });
    echo "back in outer, inner is ", var_export(Co::exists($inner), true), "\n";
    var_dump(Co::getPcid($inner), Co::getPcid(12345), Co::exists(12345));
});
echo "end\n";
--EXPECT--
start
in 1 x 1,2
int(1)
int(-1)
int(-1)
bool(false)
outer 2 of -1
inner 3 of 2
back in outer, inner is true
int(2)
bool(false)
bool(false)
inner again
end
