--TEST--
Timer: those that are due at the same time fire in the order in which they were made; short ones are not rounded up to milliseconds
--FILE--
<?php
use Swoole\Timer;

// The repeating one is armed anew with each call, and still comes before what was made after it.
foreach ([[20, 100], [10, 50], [30, 90], [7, 70]] as [$every, $after]) {
    $calls = 0;
    $tick = Timer::tick($every, function () use (&$calls) { $calls++; });
    Timer::after($after, function () use (&$calls, $tick, $every, $after) {
        Timer::clear($tick);
        var_dump($calls === intdiv($after, $every) ? 'all' : "$every $after: $calls");
    });
    Swoole\Event::wait();
}

$calls = 0;
$tick = 0;
Timer::after(60, function () use (&$calls, &$tick) {
    Timer::clear($tick);
    var_dump($calls);
});
$tick = Timer::tick(20, function () use (&$calls) { $calls++; });
Swoole\Event::wait();

// Never early, and some of many at most half a millisecond late, however busy the machine is: rounded up to milliseconds, none would be.
Co\run(function () {
    foreach (['sleep' => fn () => Co::sleep(0.001), 'usleep' => fn () => usleep(1000), 'pop' => fn () => (new Co\Channel())->pop(0.001)] as $name => $wait) {
        $times = [];
        for ($i = 0; $i < 41; $i++) {
            $began = hrtime(true);
            $wait();
            $times[] = (hrtime(true) - $began) / 1e6;
        }
        sort($times);
        echo $name, ' ', $times[0] >= 1.0 ? 'not early' : "early: $times[0]", ', ', $times[2] < 1.5 ? 'not late' : "late: $times[2]", "\n";
    }
});
?>
--EXPECT--
string(3) "all"
string(3) "all"
string(3) "all"
string(3) "all"
int(2)
sleep not early, not late
usleep not early, not late
pop not early, not late
