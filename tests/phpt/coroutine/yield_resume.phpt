--TEST--
yield waits for resume, which runs the other one at once
--FILE--
<?php

Co\run(function () {
    $cid = go(function () {
        echo "1\n";
        var_dump(Co::yield());
        echo "3\n";
        var_dump(Co::suspend());
        echo "5\n";
    });
    echo "2\n";
    var_dump(Co::resume($cid));
    echo "4\n";
    var_dump(Co::resume($cid));
    echo "6\n";
    var_dump(Co::resume($cid));
});
--EXPECTF--
1
2
bool(true)
3
bool(true)
4
bool(true)
5
bool(true)
6

Warning: Swoole\Coroutine::resume(): can not resume the coroutine which is in IO operation or non-existent in %syield_resume.php on line 16
bool(false)
