--TEST--
The deadlock report can be shortened and turned off
--FILE--
<?php

Co::set(['deadlock_check_disable_trace' => true]);
Co\run(function () { Co::yield(); });
Co::set(['enable_deadlock_check' => false]);
Co\run(function () { Co::yield(); });
echo "quiet\n";
--EXPECT--

===================================================================
 [FATAL ERROR]: all coroutines (count: 1) are asleep - deadlock!
===================================================================
quiet
