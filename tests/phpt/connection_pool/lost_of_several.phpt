--TEST--
ConnectionPool: put(null) of a coroutine that holds several frees a place at once, and no more places than connections went
--FILE--
<?php
use Swoole\ConnectionPool;

Co\run(function () {
    $made = 0;
    $pool = new ConnectionPool(function () use (&$made) { $made++; return new stdClass(); }, 3);
    [$a, $b, $c] = [$pool->get(), $pool->get(), $pool->get()];

    // One of three is lost: another can be made at once.
    $pool->put(null);
    $d = $pool->get(0.2);
    var_dump($d instanceof stdClass, $made, $pool->stats()['num']);
    // The lost one goes: its place was free since then.
    $a = null;
    var_dump($pool->get(0.01), $pool->stats()['num']);
    // The others come back and are used again.
    foreach ([$b, $c, $d] as $connection) {
        $pool->put($connection);
    }
    unset($connection, $b, $c, $d);
    var_dump($pool->stats()['idle'], $pool->get() instanceof stdClass, $made);
});

Co\run(function () {
    // None was lost after all: the pool has no more connections than its size, and nobody waits for room.
    $pool = new ConnectionPool(fn () => new stdClass(), 2);
    [$a, $b] = [$pool->get(), $pool->get()];
    $pool->put(null);
    $c = null;
    go(function () use ($pool, &$c) { $c = $pool->get(0.2); });
    var_dump($c instanceof stdClass);
    $pool->put($a);
    $pool->put($b);
    var_dump($pool->stats());
    go(function () use ($pool, &$c) { $pool->put($c); });
    var_dump($pool->stats()['idle']);
});
?>
--EXPECT--
bool(true)
int(4)
int(3)
bool(false)
int(3)
int(3)
bool(true)
int(4)
bool(true)
array(5) {
  ["size"]=>
  int(2)
  ["num"]=>
  int(2)
  ["idle"]=>
  int(1)
  ["lent"]=>
  int(1)
  ["waiting"]=>
  int(0)
}
int(2)
