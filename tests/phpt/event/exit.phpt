--TEST--
Event::exit(): timers and watches are gone after the loop
--FILE--
<?php
use Swoole\{Event, Timer};

[$one, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
Event::add($one, fn () => print("never readable\n"));
$tick = Timer::tick(1, function () {
    static $calls = 0;
    if (++$calls === 3) {
        Event::exit();
        echo "exit\n";
    }
});
$late = Timer::after(60000, fn () => print("never\n"));
Event::wait();
var_dump(Timer::exists($tick), Timer::exists($late), Timer::stats()['num'], Event::isset($one));
fwrite($other, 'x');

echo "- again, in Coroutine\\run()\n";
Co\run(function () {
    Timer::after(1, fn () => Event::exit());
    Timer::tick(30000, fn () => print("never\n"));
});
var_dump(Timer::stats()['num']);

echo "- not while a loop runs\n";
Event::exit();
Timer::after(1, fn () => print("called\n"));
Event::wait();
var_dump(Timer::stats()['num']);
?>
--EXPECT--
exit
bool(false)
bool(false)
int(0)
bool(false)
- again, in Coroutine\run()
int(0)
- not while a loop runs
called
int(0)
