--TEST--
ConnectionPool: bounded, in order, made when needed, lost connections, the end
--FILE--
<?php
use Swoole\ConnectionPool;

class Connection
{
    public static int $made = 0;
    public readonly int $number;

    public function __construct(public mixed $constructor = null)
    {
        $this->number = ++self::$made;
    }
}

Co\run(function () {
    $pool = new ConnectionPool(fn () => new Connection(), 2);
    var_dump(Connection::$made);
    $a = $pool->get();
    $b = $pool->get();
    var_dump($a->number, $b->number, $pool->get(0.01));
    foreach ([1, 2] as $waiter) {
        go(function () use ($pool, $waiter) {
            echo "waiter $waiter got {$pool->get()->number}\n";
        });
    }
    $pool->put($b);
    $pool->put($a);
    Co::sleep(0.001);
    // One was lost: another is made in its place.
    $pool->put(null);
    var_dump($pool->get()->number, Connection::$made);
    $pool->close();
    $pool->put($a);
    $pool->close();
    try {
        $pool->get();
    } catch (RuntimeException $error) {
        echo $error->getMessage(), "\n";
    }

    $failing = new ConnectionPool(function () {
        static $tries = 0;
        return $tries++ < 2 ? throw new Exception("try $tries") : new Connection();
    }, 1);
    for ($i = 0; $i < 2; $i++) {
        try {
            $failing->get();
        } catch (Exception $error) {
            echo $error->getMessage(), "\n";
        }
    }
    var_dump($failing->get() instanceof Connection);

    $filled = new ConnectionPool(fn () => 'settings', 3, Connection::class);
    $before = Connection::$made;
    $filled->fill();
    var_dump(Connection::$made - $before, ($filled->get()->constructor)());
});
?>
--EXPECT--
int(0)
int(1)
int(2)
bool(false)
waiter 1 got 2
waiter 2 got 1
int(3)
int(3)
Pool has been closed
try 1
try 2
bool(true)
int(3)
string(8) "settings"
