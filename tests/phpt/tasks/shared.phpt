--TEST--
task_ipc_mode 3: tasks wait for whichever task worker is free, whatever was asked for; the function of a result that never comes is freed
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

final class Witness
{
    public static int $gone = 0;

    public function __destruct()
    {
        self::$gone++;
    }
}

foreach ([1, 3] as $mode) {
    $free = new Swoole\Atomic(0);
    serve_tasks(['task_worker_num' => 2, 'task_ipc_mode' => $mode], [
        'task' => static function ($server, int $id, int $source, mixed $data) use ($free): mixed {
            if ($data === 'hold') {
                $free->add();
                for ($i = 0; $i < 10000 && $free->get() < 100; $i++) {
                    usleep(1000);
                }
                return 'held';
            }
            return $data === 'nothing' ? null : $server->worker_id;
        },
        'request' => static function ($request, $response) use ($free): void {
            $server = $GLOBALS['server'];
            $held = new Swoole\Coroutine\Channel(1);
            go(static fn () => $held->push($server->taskwait('hold', 20, 0)));
            for ($i = 0; $i < 5000 && $free->get() === 0; $i++) {
                Swoole\Coroutine::sleep(0.002);
            }
            // For the held task worker: with mode 3 the other one takes it.
            $shown = [$server->taskwait('x', 0.2, 0) !== false];
            $shown[] = $server->stats()['task_idle_worker_num'];
            $free->set(100);
            $shown[] = $held->pop(10);
            for ($i = 0; $i < 5000 && $server->stats()['tasking_num'] > 0; $i++) {
                Swoole\Coroutine::sleep(0.002);
            }
            $shown[] = [$server->stats()['tasking_num'], $server->stats()['task_idle_worker_num'], $server->stats()['task_count']];
            $witness = new Witness();
            $server->task('nothing', -1, static fn () => $witness);
            unset($witness);
            for ($i = 0; $i < 5000 && Witness::$gone === 0; $i++) {
                Swoole\Coroutine::sleep(0.002);
            }
            $shown[] = Witness::$gone;
            $response->end(json_encode($shown));
        },
    ], static fn (callable $ask) => print($ask('/') . "\n"), static function ($server): void {
        $GLOBALS['server'] = $server;
    });
}

// Killed and recycled ones lose no more than what they work on.
$done = new Swoole\Atomic(0);
serve_tasks(['task_worker_num' => 3, 'task_ipc_mode' => 3, 'task_max_request' => 30, 'log_file' => '/dev/null'], [
    'task' => static function ($server, int $id, int $source, mixed $data) use ($done): void {
        $done->add();
        $data === 'kill' && posix_kill(getmypid(), SIGKILL);
    },
    'request' => static function ($request, $response): void {
        for ($i = 1; $i <= 400; $i++) {
            $GLOBALS['server']->task($i % 200 === 0 ? 'kill' : 'x');
        }
        $response->end('given');
    },
], static function (callable $ask) use ($done): void {
    echo $ask('/'), "\n";
    var_dump(until(static fn () => $done->get() === 400));
}, static function ($server): void {
    $GLOBALS['server'] = $server;
});
?>
--EXPECT--
[false,1,"held",[0,2,2],1]
[true,1,"held",[0,2,2],1]
given
bool(true)
