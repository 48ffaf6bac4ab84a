--TEST--
Server: run(), a scheduler and Event::wait() in workerStop wait for their coroutines, with and without enable_coroutine
--FILE--
<?php
use Swoole\Coroutine as Co;

foreach ([true, false] as $in_coroutines) {
    $server = new Swoole\Http\Server('127.0.0.1', 0);
    $server->set(['worker_num' => 1, 'task_worker_num' => 1, 'log_level' => SWOOLE_LOG_NONE, 'enable_coroutine' => $in_coroutines]);
    $server->on('request', fn ($request, $response) => $response->end());
    $server->on('task', fn () => null);
    $server->on('workerStop', function ($server, int $id) {
        $ran = Co\run(function () use ($id) {
            go(function () use ($id) {
                Co::sleep(0.05);
                echo "$id flushed by a coroutine of run()\n";
            });
            echo "$id in run()\n";
        });
        $scheduler = new Co\Scheduler();
        $scheduler->add(function () use ($id) {
            Co::sleep(0.01);
            echo "$id scheduled\n";
        });
        var_dump($ran, $scheduler->start());
        go(function () use ($id) {
            Co::sleep(0.02);
            echo "$id waited for\n";
        });
        Swoole\Event::wait();
        echo "$id ends\n";
    });
    $server->on('start', fn ($server) => Swoole\Timer::after(50, fn () => $server->shutdown()));
    $server->start();
}
?>
--EXPECT--
0 in run()
0 flushed by a coroutine of run()
0 scheduled
bool(true)
bool(true)
0 waited for
0 ends
1 in run()
1 flushed by a coroutine of run()
1 scheduled
bool(true)
bool(true)
1 waited for
1 ends
0 in run()
0 flushed by a coroutine of run()
0 scheduled
bool(true)
bool(true)
0 waited for
0 ends
1 in run()
1 flushed by a coroutine of run()
1 scheduled
bool(true)
bool(true)
1 waited for
1 ends
