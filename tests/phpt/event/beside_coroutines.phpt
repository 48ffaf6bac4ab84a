--TEST--
Event and coroutines watch the same descriptor, but Event does not begin while a coroutine waits for it
--FILE--
<?php

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Event;

Coroutine\run(static function (): void {
    [$here, $there] = swoole_coroutine_socketpair(AF_UNIX, SOCK_STREAM, 0);
    $heard = new Channel(10);
    $read = static function (Coroutine\Socket $socket) use ($heard): void {
        $heard->push('event: ' . $socket->recv(100, 1));
    };

    $waiting = Coroutine::create(static function () use ($here, $heard): void {
        $heard->push('coroutine: ' . $here->recv(100, 5));
    });
    var_dump(Event::add($here, $read));
    $there->send('one');
    echo $heard->pop(5), "\n";

    // The socket stays known to the loop after its wait.
    var_dump(Event::add($here, $read) === $here->fd);
    $there->send('two');
    echo $heard->pop(5), "\n";
    $there->send('three');
    echo $heard->pop(5), "\n";
    var_dump(Event::del($here));
    $there->send('four');
    echo 'coroutine: ', $here->recv(100, 5), "\n";
    $there->close();
    var_dump($here->recv(100, 5));
});
?>
--EXPECTF--
Warning: Swoole\Event::add(): failed to watch fd#%d: File exists [17] in %s on line %d
bool(false)
coroutine: one
bool(true)
event: two
event: three
bool(true)
coroutine: four
string(0) ""
