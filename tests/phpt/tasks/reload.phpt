--TEST--
Tasks: reload() and reload(true) lose none of the tasks that wait, and stop() ends one task worker
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

const TASKS = 400;

foreach ([false, true] as $coroutines) {
    $done = new Swoole\Atomic(0);
    $starts = new Swoole\Table(64);
    $starts->column('count', Swoole\Table::TYPE_INT);
    $starts->create();
    serve_tasks(['task_worker_num' => 3, 'task_enable_coroutine' => $coroutines, 'task_use_object' => true], [
        'workerStart' => static fn ($server, int $id) => $starts->incr("$id", 'count'),
        'task' => static function ($server, $task) use ($done): void {
            Swoole\Coroutine::getCid() > 0 ? Swoole\Coroutine::sleep(0.002) : usleep(2000);
            $done->add();
            $task->finish('ok');
        },
        'finish' => static function () {},
        'afterReload' => static fn () => $starts->incr('reloads', 'count'),
        'request' => static function ($request, $response) use ($starts): void {
            $server = $GLOBALS['server'];
            $path = $request->server['request_uri'];
            if ($path === '/tasks') {
                $count = 0;
                for ($i = 0; $i < TASKS; $i++) {
                    $count += $server->task(['number' => $i]) !== false ? 1 : 0;
                }
                $response->end((string) $count);
            } elseif ($path === '/reload') {
                $response->end(json_encode($server->reload(true)));
            } elseif ($path === '/pid') {
                $response->end((string) $server->getWorkerPid(2));
            } elseif ($path === '/stop') {
                $response->end(json_encode($server->stop(2)));
            } else {
                $response->end(json_encode($server->stats()['tasking_num']));
            }
        },
    ], static function (callable $ask, $server) use ($done, $starts): void {
        var_dump($ask('/tasks') === (string) TASKS, $ask('/reload'));
        var_dump(until(static fn () => $starts->get('reloads', 'count') === 1));
        var_dump(until(static fn () => $done->get() === TASKS), $done->get() - TASKS);
        echo $starts->get('0', 'count'), ' ', $starts->get('1', 'count'), ' ', $starts->get('2', 'count'), ' ', $starts->get('3', 'count'), "\n";
        $ask('/tasks');
        posix_kill($server->master_pid, SIGUSR1);
        var_dump(until(static fn () => $starts->get('reloads', 'count') === 2));
        var_dump(until(static fn () => $done->get() === 2 * TASKS), $done->get() - 2 * TASKS);
        echo $starts->get('0', 'count'), ' ', $starts->get('1', 'count'), ' ', $starts->get('2', 'count'), ' ', $starts->get('3', 'count'), "\n";
        $pid = $ask('/pid');
        echo $ask('/stop'), "\n";
        var_dump(until(static fn () => !in_array($ask('/pid'), [$pid, ''], true)), until(static fn () => $starts->get('2', 'count') === 4));
        var_dump(until(static fn () => $ask('/left') === '0'));
    }, static function ($server): void {
        $GLOBALS['server'] = $server;
    });
}

// What waits when the server is told to stop is still done.
$done = new Swoole\Atomic(0);
serve_tasks([], [
    'task' => static function () use ($done): void {
        usleep(1000);
        $done->add();
    },
    'request' => static function ($request, $response): void {
        for ($i = 0; $i < TASKS; $i++) {
            $GLOBALS['server']->task('x');
        }
        $response->end('given');
    },
], static fn (callable $ask) => print($ask('/') . "\n"), static function ($server): void {
    $GLOBALS['server'] = $server;
});
var_dump($done->get());
?>
--EXPECT--
bool(true)
string(4) "true"
bool(true)
bool(true)
int(0)
1 2 2 2
bool(true)
bool(true)
int(0)
2 3 3 3
true
bool(true)
bool(true)
bool(true)
bool(true)
string(4) "true"
bool(true)
bool(true)
int(0)
1 2 2 2
bool(true)
bool(true)
int(0)
2 3 3 3
true
bool(true)
bool(true)
bool(true)
given
int(400)
