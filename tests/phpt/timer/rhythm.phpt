--TEST--
Timer: a tick is due an interval after the one before was due, not after its call
--FILE--
<?php
use Swoole\Timer;

const INTERVAL = 80;
$start = hrtime(true);
$late = [];
Timer::tick(INTERVAL, static function (int $id) use (&$late, $start): void {
    $late[] = intdiv(hrtime(true) - $start, 1_000_000) % INTERVAL;
    if (count($late) === 25) {
        Timer::clear($id);
    }
});
Swoole\Event::wait();
// Each call is a little late. Counted from the calls that would add up, and they would come at all parts of the
// interval; counted from when they were due, most come in its first half.
sort($late);
var_dump($late[18] < INTERVAL / 2);
?>
--EXPECT--
bool(true)
