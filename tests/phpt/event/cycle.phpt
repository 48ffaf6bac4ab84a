--TEST--
A function called in every turn
--FILE--
<?php

use Swoole\Event;
$n = 0;
$id = Swoole\Timer::tick(1, fn () => 1);
Event::cycle(function () use (&$n, $id) { if (++$n === 5) { Event::cycle(null); Swoole\Timer::clear($id); } });
Event::wait();
var_dump($n, Event::cycle(null));
--EXPECT--
int(5)
bool(false)
