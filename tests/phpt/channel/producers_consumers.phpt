--TEST--
Many producers and consumers lose and double nothing
--FILE--
<?php

Co\run(function () {
    $c = new Chan(3);
    $seen = [];
    for ($p = 0; $p < 10; $p++) go(function () use ($c, $p) {
        for ($i = 0; $i < 50; $i++) { $c->push("$p.$i"); if ($i % 7 === 0) Co::sleep(0.001); }
    });
    for ($w = 0; $w < 4; $w++) go(function () use ($c, &$seen) {
        while (($v = $c->pop(0.1)) !== false) { $seen[$v] = ($seen[$v] ?? 0) + 1; if (count($seen) % 11 === 0) Co::sleep(0.001); }
    });
    Co::sleep(0.3);
    var_dump(count($seen), max($seen), $c->isEmpty());
});
--EXPECT--
int(500)
int(1)
bool(true)
