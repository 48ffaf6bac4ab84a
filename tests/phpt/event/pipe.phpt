--TEST--
Descriptors: add, set, isset, del, write
--FILE--
<?php

use Swoole\Event;
[$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
var_dump(is_int(Event::add($a, function ($s) use ($a) {
    $data = fread($s, 100);
    echo "read: $data in ", Co::getCid() > 0 ? 'a coroutine' : 'none', "\n";
    if ($data === 'last') { var_dump(Event::del($s), Event::isset($s)); }
})));
var_dump(Event::isset($a), Event::isset($a, SWOOLE_EVENT_READ), Event::isset($a, SWOOLE_EVENT_WRITE), Event::isset($b));
var_dump(@Event::add($a, fn () => 1), @Event::add($b), @Event::del($b), @Event::set($b, fn () => 1));
Event::defer(function () use ($b) { echo "deferred\n"; Event::write($b, 'first'); });
Swoole\Timer::after(10, fn () => fwrite($b, 'last'));
Event::wait();
$n = 0;
Event::add($b, null, function ($s) use (&$n) { if (++$n === 2) Event::del($s); }, SWOOLE_EVENT_WRITE);
Event::wait();
var_dump($n);
Event::add($a, fn ($s) => print("readable\n"), fn ($s) => print("writable\n"), SWOOLE_EVENT_READ);
fwrite($b, 'x');
Event::dispatch();
fread($a, 1);
Event::set($a, null, null, SWOOLE_EVENT_WRITE);
Event::dispatch();
var_dump(Event::del($a));
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
deferred
read: first in a coroutine
read: last in a coroutine
bool(true)
bool(false)
int(2)
readable
writable
bool(true)
