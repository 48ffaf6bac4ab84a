--TEST--
Reaching the memory limit in a coroutine ends the script
--FILE--
<?php

ini_set('memory_limit', '16M');
Co\run(function () {
    go(function () { Co::sleep(0.05); echo "never\n"; });
    go(function () { try { $s = str_repeat('x', 1000); while (true) { $s .= $s; } } catch (Throwable $e) { echo "not caught\n"; } });
    echo "never\n";
});
echo "never\n";
--EXPECTF--

Fatal error: Allowed memory size of 16777216 bytes exhausted (tried to allocate %d bytes) in %smemory_limit.php on line 6
