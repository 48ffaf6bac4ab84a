--TEST--
exit() in a coroutine is an exception with its status
--FILE--
<?php

Co\run(function () {
    foreach ([fn () => exit(3), fn () => exit('text'), fn () => exit, fn () => die(0)] as $f) {
        go(function () use ($f) {
            try {
                $f();
            } catch (Swoole\ExitException $e) {
                var_dump($e->getMessage(), $e->getStatus(), $e->getFlags() === SWOOLE_EXIT_IN_COROUTINE);
            } finally {
                echo "finally\n";
            }
        });
    }
    go(function () { Co::sleep(0.001); exit(7); });
    go(function () { Co::sleep(0.002); echo "others go on\n"; });
});
echo "after run\n";
register_shutdown_function(function () { echo "shutdown\n"; });
exit("exit outside a coroutine is PHP's\n");
--EXPECT--
string(11) "swoole exit"
int(3)
bool(true)
finally
string(11) "swoole exit"
string(4) "text"
bool(true)
finally
string(11) "swoole exit"
NULL
bool(true)
finally
string(11) "swoole exit"
int(0)
bool(true)
finally
others go on
after run
exit outside a coroutine is PHP's
shutdown
