--TEST--
Coroutine: an exception that nobody caught is reported, then deferred calls run, and one that throws is the last
--ENV--
STAMPEDE_LEAKS=0
--FILE--
<?php
use Swoole\Coroutine;

register_shutdown_function(fn () => print("shutdown function\n"));
Coroutine\run(function () {
    Coroutine::defer(fn () => print("not called\n"));
    Coroutine::defer(fn () => throw new Exception('of a deferred call'));
    Coroutine::defer(function () {
        Coroutine::sleep(0.001);
        echo "called\n";
    });
    throw new Exception('of the function');
});
echo "not reached\n";
?>
--EXPECTF--

Fatal error: Uncaught Exception: of the function in %s:%d
Stack trace:
#0 [internal function]: {closure%S}()
#1 {main}
  thrown in %s on line %d
called

Fatal error: Uncaught Exception: of a deferred call in %s:%d
Stack trace:
#0 [internal function]: {closure%S}(%s)
#1 {main}
  thrown in %s on line %d
shutdown function
