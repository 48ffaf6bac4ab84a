--TEST--
A deadlock is reported with where everyone waits
--FILE--
<?php

function blocked() { (new Chan)->pop(); }
Co\run(function () {
    go('blocked');
    Co::yield();
});
echo "on\n";
--EXPECTF--

===================================================================
 [FATAL ERROR]: all coroutines (count: 2) are asleep - deadlock!
===================================================================

 [Coroutine-1]
--------------------------------------------------------------------
#0 %sdeadlock.php(6): Swoole\Coroutine::yield()
#1 [internal function]: {closure%S}()


 [Coroutine-2]
--------------------------------------------------------------------
#0 %sdeadlock.php(3): Swoole\Coroutine\Channel->pop()
#1 [internal function]: blocked()

on
