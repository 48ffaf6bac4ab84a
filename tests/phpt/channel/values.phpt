--TEST--
Values are held, collected in cycles, and freed with the channel
--FILE--
<?php

class V { public $ref; function __construct(public $n) {} function __destruct() { echo "free $this->n\n"; } }
Co\run(function () {
    $c = new Chan(8);
    $c->push(new V(1));
    $v = new V(2);
    $c->push($v);
    unset($v);
    $got = $c->pop();
    echo "have {$got->n}\n";
    unset($got);
    unset($c);
    echo "channel gone\n";
    $c = new Chan(8);
    $v = new V(3);
    $v->ref = $c;
    $c->push($v);
    unset($v, $c);
    gc_collect_cycles();
    echo "cycle collected\n";
    $c = new Chan(1000);
    for ($i = 0; $i < 1000; $i++) $c->push("s$i");
    for ($i = 0; $i < 500; $i++) assert($c->pop() === "s$i");
    for ($i = 0; $i < 500; $i++) $c->push("t$i");
    for ($i = 500; $i < 1000; $i++) assert($c->pop() === "s$i");
    var_dump($c->length(), $c->pop());
});
--EXPECT--
have 1
free 1
free 2
channel gone
free 3
cycle collected
int(500)
string(2) "t0"
