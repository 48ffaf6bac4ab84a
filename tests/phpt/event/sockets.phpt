--TEST--
Socket objects in the event loop, with callbacks that wait
--EXTENSIONS--
sockets
--FILE--
<?php

use Swoole\Event;

socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $pair);
Co\run(function () use ($pair) {
    var_dump(is_int(Event::add($pair[0], function ($s) {
        echo socket_read($s, 10), "\n";
        Co::sleep(0.001);
        var_dump(Event::del($s));
    })));
    socket_write($pair[1], 'hello');
});
--EXPECT--
bool(true)
hello
bool(true)
