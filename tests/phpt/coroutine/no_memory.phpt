--TEST--
Without memory for another stack create() throws and what exists goes on
--FILE--
<?php

Co\run(function () {
    go(function () { Co::sleep(0.01); echo "the others go on\n"; });
    Co::set(['stack_size' => 1 << 45]);
    $made = 0;
    try {
        while ($made < 10 && go(function () { Co::sleep(0.005); })) { $made++; }
        echo "no exception\n";
    } catch (Swoole\Error $e) {
        echo substr($e->getMessage(), 0, 43), "\n";
    }
    Co::set(['stack_size' => 2 << 20]);
    go(function () { Co::sleep(0.02); echo "and new ones start\n"; });
});
--EXPECT--
no memory for the stack of another coroutin
the others go on
and new ones start
