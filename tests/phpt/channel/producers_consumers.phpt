--TEST--
Many producers and consumers lose and double nothing
--FILE--
<?php

Co\run(function () {
    $c = new Chan(3);
    $seen = [];
    $producers = [];
    for ($p = 0; $p < 10; $p++) $producers[] = go(function () use ($c, $p) {
        for ($i = 0; $i < 50; $i++) { $c->push("$p.$i"); if ($i % 7 === 0) Co::sleep(0.001); }
    });
    for ($w = 0; $w < 4; $w++) go(function () use ($c, &$seen) {
        while (($v = $c->pop()) !== false) { $seen[$v] = ($seen[$v] ?? 0) + 1; if (count($seen) % 11 === 0) Co::sleep(0.001); }
    });
    Co::join($producers);
    $c->close();
    Co::sleep(0.01);
    var_dump(count($seen), max($seen), $c->isEmpty());
});
--EXPECT--
int(500)
int(1)
bool(true)
