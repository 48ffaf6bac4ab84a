--TEST--
System::waitEvent(): readable, writable, both, time limits, what is no descriptor; a closed stream in Event
--FILE--
<?php
use Swoole\Coroutine as Co;
use Swoole\Coroutine\System;
use Swoole\Event;

Co\run(function (): void {
    [$one, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    var_dump(System::waitEvent($one, SWOOLE_EVENT_READ, 0.01), swoole_strerror(swoole_last_error()));
    go(function () use ($other): void {
        System::sleep(0.01);
        fwrite($other, 'x');
    });
    var_dump(System::waitEvent($one) === SWOOLE_EVENT_READ);
    var_dump(System::waitEvent($one, SWOOLE_EVENT_WRITE) === SWOOLE_EVENT_WRITE);
    var_dump(System::waitEvent($one, SWOOLE_EVENT_READ | SWOOLE_EVENT_WRITE, 20) === (SWOOLE_EVENT_READ | SWOOLE_EVENT_WRITE));
    fclose($other);
    fgetc($one);
    var_dump(System::waitEvent($one) === SWOOLE_EVENT_READ);
    var_dump(System::waitEvent($one, 0), System::waitEvent(-1));
    $file = fopen(__FILE__, 'r');
    var_dump(System::waitEvent($file) === SWOOLE_EVENT_READ);

    for ($round = 0; $round < 2; $round++) {
        [$one, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        var_dump(Event::add($one, fn () => null) !== false);
        fclose($one);
        fclose($other);
        var_dump(Event::del($one));
    }
    var_dump(Event::del($one));
});
?>
--EXPECTF--
bool(false)
string(20) "Connection timed out"
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)

Warning: Swoole\Event::del(): unknown type, a descriptor, stream or socket is needed in %s on line %d
bool(false)
