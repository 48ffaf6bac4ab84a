--TEST--
Garbage is collected in coroutines; cycles with waiting coroutines stay alive
--FILE--
<?php

class Node { public $next; public $data; }
Co\run(function () {
    $alive = new Node;
    $alive->next = $alive;
    go(function () use ($alive) { Co::sleep(0.005); echo get_class($alive->next), "\n"; });
    unset($alive);
    for ($r = 0; $r < 3; $r++) $makers[] = go(function () {
        for ($i = 0; $i < 12000; $i++) { $n = new Node; $n->next = $n; $n->data = str_repeat('x', 20); if ($i % 1000 === 0) Co::sleep(0.001); }
    });
    $before = memory_get_usage();
    Co::join($makers);
    gc_collect_cycles();
    var_dump(memory_get_usage() - $before < 500000);
});
--EXPECT--
Node
bool(true)
