--TEST--
Every coroutine has its own output buffers
--FILE--
<?php

Co\run(function () {
    ob_start();
    echo "[outer]";
    go(function () {
        echo "unbuffered\n";
        ob_start(fn ($s) => strtoupper($s));
        echo "inner one\n";
        Co::sleep(0.001);
        echo "inner two\n";
        var_dump(ob_get_level());
        ob_end_flush();
        ob_start();
        echo "left open at the end\n";
    });
    go(function () { ob_start(); echo "a"; ob_start(); echo "b"; Co::sleep(0.002); $b = ob_get_clean(); $a = ob_get_clean(); echo "$a$b\n"; var_dump(ob_get_level()); });
    Co::sleep(0.01);
    $got = ob_get_clean();
    var_dump($got, ob_get_level());
});
ob_start();
echo "main ";
go(function () { echo "from go\n"; Co::sleep(0.001); });
echo "buffered";
$s = ob_get_clean();
var_dump($s);
Swoole\Event::wait();
--EXPECT--
unbuffered
INNER ONE
INNER TWO
INT(1)
left open at the end
ab
int(0)
string(7) "[outer]"
int(0)
from go
string(13) "main buffered"
