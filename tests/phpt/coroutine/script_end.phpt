--TEST--
The loop runs by itself at the end of a script
--FILE--
<?php

go(function () { Co::sleep(0.001); echo "slept\n"; });
register_shutdown_function(function () { echo "later shutdown function\n"; });
echo "end of file\n";
--EXPECT--
end of file

Deprecated: Swoole\Event::rshutdown(): Event::wait() in shutdown function is deprecated in Unknown on line 0
slept
later shutdown function
