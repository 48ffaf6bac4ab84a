--TEST--
ConnectionPool: get() and put() mean the same whether or not anybody waits, has lost one or asks for the age
--FILE--
<?php
use Swoole\ConnectionPool;
use Swoole\Coroutine;

set_error_handler(function (int $level, string $message) {
    echo "warning: $message\n";
    return true;
});

function show(ConnectionPool $pool): void
{
    echo json_encode($pool->stats()), "\n";
}

Co\run(function () {
    echo "-- a waiter comes and goes\n";
    $pool = new ConnectionPool(fn () => new stdClass(), 1);
    $pool->put($pool->get());
    $mine = $pool->get();
    go(function () use ($pool) {
        $connection = $pool->get();
        echo "the waiter has it\n";
        $pool->put($connection);
    });
    go(fn () => var_dump($pool->get(0.001)));
    Co::sleep(0.01);
    $pool->put($mine);
    $pool->put($mine);
    Co::sleep(0.001);
    show($pool);
    $pool->put($pool->get());

    echo "-- dropped after it was used many times\n";
    $mine = $pool->get();
    unset($mine);
    show($pool);
    $mine = $pool->get();
    $pool->put(null);
    $pool->put($mine);
    show($pool);

    echo "-- left by a coroutine that has ended\n";
    $kept = null;
    go(function () use ($pool, &$kept) { $kept = $pool->get(); });
    show($pool);
    $pool->put(null);
    show($pool);
    $kept = null;
    show($pool);

    echo "-- the age counts from the moment somebody asks for it\n";
    $pool->put($pool->get());
    $pool->setIdleLimit(100);
    $mine = $pool->get();
    show($pool);
    $pool->put($mine);
    $pool->setIdleLimit(0);
    var_dump($pool->get() === $mine);

    echo "-- values, and one object for all\n";
    $number = 0;
    $pool = new ConnectionPool(function () use (&$number) { return ++$number; }, 2);
    var_dump($pool->get(), $pool->get());
    $pool->put(1);
    $pool->put(2);
    var_dump($pool->get());
    $pool->put(1);
    $pool->put(1);
    show($pool);
    $one = new stdClass();
    $pool = new ConnectionPool(fn () => $one, 2);
    $pool->fill();
    var_dump($pool->get() === $one, $pool->get() === $one);
    $pool->put($one);
    $pool->put($one);
    show($pool);

    echo "-- closed\n";
    $pool = new ConnectionPool(fn () => new stdClass(), 1);
    $pool->put($pool->get());
    $mine = $pool->get();
    $pool->close();
    $pool->put($mine);
    unset($mine);
    show($pool);
    try {
        $pool->get();
    } catch (RuntimeException $error) {
        echo $error->getMessage(), "\n";
    }
});
?>
--EXPECT--
-- a waiter comes and goes
bool(false)
the waiter has it
warning: This connection is not in use: it was given back before, or is not of this pool
{"size":1,"num":1,"idle":1,"lent":0,"waiting":0}
-- dropped after it was used many times
{"size":1,"num":0,"idle":0,"lent":0,"waiting":0}
{"size":1,"num":1,"idle":1,"lent":0,"waiting":0}
-- left by a coroutine that has ended
{"size":1,"num":1,"idle":0,"lent":1,"waiting":0}
{"size":1,"num":0,"idle":0,"lent":0,"waiting":0}
{"size":1,"num":0,"idle":0,"lent":0,"waiting":0}
-- the age counts from the moment somebody asks for it
{"size":1,"num":1,"idle":0,"lent":1,"waiting":0}
bool(true)
-- values, and one object for all
int(1)
int(2)
int(1)
warning: This connection is not in use: it was given back before, or is not of this pool
{"size":2,"num":2,"idle":2,"lent":0,"waiting":0}
bool(true)
bool(true)
warning: This connection is not in use: it was given back before, or is not of this pool
{"size":2,"num":1,"idle":1,"lent":0,"waiting":0}
-- closed
{"size":1,"num":0,"idle":0,"lent":0,"waiting":0}
Pool has been closed
