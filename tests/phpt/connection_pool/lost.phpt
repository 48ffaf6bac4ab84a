--TEST--
ConnectionPool::put(null): the caller's other connections are not taken from it
--FILE--
<?php
use Swoole\ConnectionPool;

Co\run(static function (): void {
    $pool = new ConnectionPool(static fn () => new stdClass(), 3);
    // Dropped first, told then.
    $one = $pool->get();
    $two = $pool->get();
    unset($one);
    $pool->put(null);
    var_dump($pool->stats()['lent'], $pool->stats()['num']);
    $pool->put($two);
    // Told first, dropped then.
    $one = $pool->get();
    $two = $pool->get();
    $pool->put(null);
    unset($one);
    var_dump($pool->stats()['lent'], $pool->stats()['num']);
    $pool->put($two);
    // The only one.
    $one = $pool->get();
    $pool->put(null);
    var_dump($pool->stats()['lent'], $pool->stats()['num']);
    unset($one);
    // All places can be had.
    $all = [$pool->get(1), $pool->get(1), $pool->get(1)];
    var_dump(count(array_filter($all)), $pool->get(0.001));
});
?>
--EXPECT--
int(1)
int(1)
int(1)
int(1)
int(0)
int(0)
int(3)
bool(false)
