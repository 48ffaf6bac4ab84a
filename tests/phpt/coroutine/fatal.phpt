--TEST--
A fatal error in a coroutine ends the script
--ENV--
STAMPEDE_LEAKS=0
--FILE--
<?php

register_shutdown_function(function () { echo "shutdown function ran\n"; });
Co\run(function () {
    go(function () { Co::sleep(0.05); echo "never\n"; });
    go(function () { Co::sleep(0.001); (function (int ...$x) { eval('class A {} class A {}'); })(); echo "never\n"; });
});
echo "never\n";
--EXPECTF--

Fatal error: Cannot %s class A%s
shutdown function ran
