--TEST--
ConnectionPool: what is dropped makes room, what is given back twice is refused, waiters in order, limits
--FILE--
<?php
use Swoole\ConnectionPool;
use Swoole\Coroutine;

class Connection
{
    public static int $made = 0;
    public static int $gone = 0;
    public readonly int $number;

    public function __construct()
    {
        $this->number = ++self::$made;
    }

    public function __destruct()
    {
        self::$gone++;
    }
}

function show(ConnectionPool $pool): void
{
    echo json_encode($pool->stats()), "\n";
}

function wait_until(callable $condition): void
{
    for ($until = hrtime(true) + 20e9; !$condition() && hrtime(true) < $until;) {
        Co::sleep(0.001);
    }
}

set_error_handler(function (int $level, string $message) {
    echo $level === E_USER_WARNING ? 'warning' : $level, ": $message\n";
    return true;
});

Co\run(function () {
    $pool = new ConnectionPool(fn () => new Connection(), 1);
    echo "-- given back twice, and a stranger\n";
    $connection = $pool->get();
    $pool->put($connection);
    $pool->put($connection);
    $pool->put(new Connection());
    unset($connection);
    show($pool);

    echo "-- dropped by a coroutine that fails while others wait\n";
    Connection::$gone = 0;
    $holder = go(function () use ($pool) {
        $connection = $pool->get();
        Coroutine::suspend();
        unset($connection);
    });
    foreach ([1, 2, 3] as $i) {
        go(function () use ($pool, $i) {
            $connection = $pool->get();
            echo "waiter $i has one\n";
            Co::sleep(0.001);
            $pool->put($connection);
        });
    }
    show($pool);
    Coroutine::resume($holder);
    wait_until(static fn (): bool => $pool->stats()['idle'] === 1 && $pool->stats()['waiting'] === 0);
    var_dump(Connection::$gone);
    show($pool);

    echo "-- cancelled while it has one, and while it waits\n";
    $holder = go(function () use ($pool) {
        $connection = $pool->get();
        Co::sleep(10);
        var_dump(Coroutine::isCanceled());
    });
    $waiter = go(fn () => var_dump($pool->get()));
    $next = go(fn () => print(get_class($pool->get()) . " for the next\n"));
    Coroutine::cancel($waiter);
    Coroutine::cancel($holder);
    Co::sleep(0.001);
    show($pool);

    echo "-- the wait limit\n";
    $connection = $pool->setWaitLimit(0.001)->get();
    var_dump($pool->get());
    $pool->put(null);
    var_dump($pool->get() instanceof Connection);
    unset($connection);
    show($pool);

    echo "-- a constructor that fails passes the place on\n";
    $failing = new ConnectionPool(function () {
        Co::sleep(0.001);
        throw new Exception('down');
    }, 1);
    $failed = 0;
    for ($i = 0; $i < 3; $i++) {
        go(function () use ($failing, $i, &$failed) {
            try {
                $failing->get();
            } catch (Exception $error) {
                echo "$i: ", $error->getMessage(), "\n";
                $failed++;
            }
        });
    }
    wait_until(static function () use (&$failed): bool {
        return $failed === 3;
    });
    show($failing);

    echo "-- idle ones are closed, and do not keep the program\n";
    $idle = (new ConnectionPool(fn () => new Connection(), 3))->setIdleLimit(0.01);
    $idle->fill();
    $kept = $idle->get();
    for ($i = 0; $i < 1000 && $idle->stats()['idle'] > 0; $i++) {
        Co::sleep(0.005);
    }
    show($idle);
    $idle->put($kept);
    $idle->setIdleLimit(1000);
    $idle->put($idle->get());

    echo "-- the end while somebody waits\n";
    $ending = new ConnectionPool(fn () => new Connection(), 1);
    $connection = $ending->get();
    go(fn () => var_dump($ending->get()));
    $ending->close();
    Co::sleep(0.001);
    $ending->put($connection);

    echo "-- in order\n";
    $pool = new ConnectionPool(fn () => new Connection(), 2);
    $order = [];
    $group = new Coroutine\WaitGroup();
    for ($i = 0; $i < 50; $i++) {
        $group->add();
        go(function () use ($pool, $i, &$order, $group) {
            $connection = $pool->get();
            $order[] = $i;
            Co::sleep(0.001 * (1 + $i % 3));
            $i % 5 === 0 ? $connection = null : $pool->put($connection);
            $group->done();
        });
    }
    $group->wait();
    var_dump($order === range(0, 49), $pool->stats()['lent'], $pool->stats()['num'] === $pool->stats()['idle']);
});
echo "done\n";
?>
--EXPECT--
-- given back twice, and a stranger
warning: This connection is not in use: it was given back before, or is not of this pool
warning: This connection is not in use: it was given back before, or is not of this pool
{"size":1,"num":1,"idle":1,"lent":0,"waiting":0}
-- dropped by a coroutine that fails while others wait
{"size":1,"num":1,"idle":0,"lent":1,"waiting":3}
waiter 1 has one
waiter 2 has one
waiter 3 has one
int(1)
{"size":1,"num":1,"idle":1,"lent":0,"waiting":0}
-- cancelled while it has one, and while it waits
bool(false)
bool(true)
Connection for the next
{"size":1,"num":0,"idle":0,"lent":0,"waiting":0}
-- the wait limit
bool(false)
bool(true)
{"size":1,"num":0,"idle":0,"lent":0,"waiting":0}
-- a constructor that fails passes the place on
0: down
1: down
2: down
{"size":1,"num":0,"idle":0,"lent":0,"waiting":0}
-- idle ones are closed, and do not keep the program
{"size":3,"num":1,"idle":0,"lent":1,"waiting":0}
-- the end while somebody waits
bool(false)
-- in order
bool(true)
int(0)
bool(true)
done
