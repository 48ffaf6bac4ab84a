--TEST--
Connection pools in the metrics: places, connections, who waits, and for how long
--FILE--
<?php
use Swoole\ConnectionPool;
use Swoole\Coroutine;

$server = new Swoole\Http\Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'enable_metrics' => true, 'log_level' => SWOOLE_LOG_WARNING]);
$server->on('request', static function (): void {});
$show = static function (string $when): void {
    echo "$when\n", implode("\n", preg_grep('/^stampede_pool_(?!wait_seconds_(bucket|sum))/', explode("\n", Stampede\metrics_text()))), "\n";
};
$step = new Swoole\Atomic(0);
$seen = new Swoole\Atomic(0);
$server->on('workerStart', static function (Swoole\Http\Server $server) use ($step, $seen): void {
    $until = static function (int $wanted) use ($seen): void {
        while ($seen->get() < $wanted) {
            Coroutine::sleep(0.001);
        }
    };
    $pool = new ConnectionPool(static fn () => new stdClass(), 2);
    [$a, $b] = [$pool->get(), $pool->get()];
    Coroutine::create(static fn () => $pool->put($pool->get()));
    $step->set(1);
    $until(1);
    $pool->put($a);
    $pool->put($b);
    var_dump($pool->get(0.001) !== false);
    $step->set(2);
    $until(2);
    unset($a, $b);
    $pool->close();
    $step->set(3);
    $until(3);
    $server->shutdown();
});
$server->on('start', static function () use ($step, $seen, $show): void {
    foreach (['all are in use, and one waits', 'none waits any more', 'closed'] as $i => $when) {
        while ($step->get() < $i + 1) {
            Coroutine::sleep(0.001);
        }
        $show($when);
        $seen->set($i + 1);
    }
});
$server->start();
?>
--EXPECT--
all are in use, and one waits
stampede_pool_places{pool="Swoole\\ConnectionPool"} 2
stampede_pool_connections{pool="Swoole\\ConnectionPool"} 2
stampede_pool_waiting{pool="Swoole\\ConnectionPool"} 1
bool(true)
none waits any more
stampede_pool_places{pool="Swoole\\ConnectionPool"} 2
stampede_pool_connections{pool="Swoole\\ConnectionPool"} 2
stampede_pool_waiting{pool="Swoole\\ConnectionPool"} 0
stampede_pool_wait_seconds_count{pool="Swoole\\ConnectionPool"} 1
closed
stampede_pool_places{pool="Swoole\\ConnectionPool"} 0
stampede_pool_connections{pool="Swoole\\ConnectionPool"} 0
stampede_pool_waiting{pool="Swoole\\ConnectionPool"} 0
stampede_pool_wait_seconds_count{pool="Swoole\\ConnectionPool"} 1
