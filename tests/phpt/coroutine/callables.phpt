--TEST--
Every kind of callable can be a coroutine
--FILE--
<?php

function plain($x) { echo __FUNCTION__, " $x\n"; }
class C {
    function method($x) { echo __METHOD__, " $x\n"; Co::sleep(0.001); echo __METHOD__, " done\n"; }
    static function stat($x) { echo __METHOD__, " $x\n"; }
    function __invoke($x) { echo __METHOD__, " $x\n"; }
    function __call($n, $a) { echo "__call $n ", implode(',', $a), "\n"; }
    static function __callStatic($n, $a) { echo "__callStatic $n ", implode(',', $a), "\n"; }
}
Co\run(function () {
    go('plain', 1);
    go([new C, 'method'], 2);
    go('C::stat', 3);
    go(['C', 'stat'], 4);
    go(new C, 5);
    go([new C, 'missing'], 6);
    go(['C', 'missing'], 7);
    go((new C)->method(...), 8);
    go('printf', "%s\n", 'internal');
    go(fn (int $a, int $b) => print("named $a $b\n"), b: 2, a: 1);
    try { go('does_not_exist'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
    try { go(); } catch (ArgumentCountError $e) { echo $e->getMessage(), "\n"; }
});
--EXPECT--
plain 1
C::method 2
C::stat 3
C::stat 4
C::__invoke 5
__call missing 6
__callStatic missing 7
C::method 8
internal
named 1 2
go(): Argument #1 ($func) must be a valid callback, function "does_not_exist" not found or invalid function name
go() expects at least 1 argument, 0 given
C::method done
C::method done
