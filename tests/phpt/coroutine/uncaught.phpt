--TEST--
An uncaught exception ends the script as PHP does
--ENV--
STAMPEDE_LEAKS=0
--FILE--
<?php

Co\run(function () {
    go(function () { Co::sleep(0.05); echo "never\n"; });
    go(function () {
        Co::sleep(0.001);
        throw new Exception('nobody caught me');
    });
});
echo "never either\n";
--EXPECTF--

Fatal error: Uncaught Exception: nobody caught me in %suncaught.php:7
Stack trace:
#0 [internal function]: {closure%S}()
#1 {main}
  thrown in %suncaught.php on line 7
