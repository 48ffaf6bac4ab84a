--TEST--
Timers keep the loop alive until they are over
--FILE--
<?php

use Swoole\Timer;
$n = 0;
Timer::after(5, function () { echo "one\n"; Timer::after(5, function () { echo "two\n"; }); });
Swoole\Event::wait();
echo "loop ended\n";
Timer::tick(2, function ($id) use (&$n) { if (++$n === 3) { echo "third\n"; Swoole\Event::exit(); } });
Swoole\Event::wait();
echo "left the loop\n";
Timer::clearAll();
--EXPECT--
one
two
loop ended
third
left the loop
