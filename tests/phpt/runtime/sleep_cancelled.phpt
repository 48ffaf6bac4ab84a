--TEST--
Sleeps end when their coroutine is cancelled, and with the process
--FILE--
<?php
use Swoole\Coroutine as Co;

Swoole\Runtime::enableCoroutine(SWOOLE_HOOK_ALL);
$sleeps = [
    'sleep()' => fn (): mixed => sleep(100) > 90,
    'usleep()' => fn (): mixed => usleep(100_000_000),
    'time_nanosleep()' => fn (): mixed => time_nanosleep(100, 0)['seconds'] > 90,
    'time_sleep_until()' => fn (): mixed => time_sleep_until(time() + 100),
];
Co\run(function () use ($sleeps): void {
    foreach ($sleeps as $name => $sleep) {
        $cid = go(function () use ($name, $sleep): void {
            echo $name, ': ', json_encode($sleep()), "\n";
        });
        Co::cancel($cid);
        var_dump(Co::exists($cid));
    }
});
// A time that no clock reaches: nothing wakes this one, which is destroyed with the process.
Co::set(['enable_deadlock_check' => false]);
Co\run(fn () => time_sleep_until(time() + 9_300_000_000));
echo "end\n";
?>
--EXPECT--
sleep(): true
bool(false)
usleep(): null
bool(false)
time_nanosleep(): true
bool(false)
time_sleep_until(): false
bool(false)
end
