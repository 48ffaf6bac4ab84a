--TEST--
message_queue_key: tasks go through a System V queue, with task_ipc_mode 2 to their task worker, with 3 to any; what lies there outlives the server
--EXTENSIONS--
pcntl
posix
--INI--
memory_limit=1G
--FILE--
<?php
require __DIR__ . '/once.inc';

$key = 0x57000000 | (getmypid() & 0xffffff);
$folder = sys_get_temp_dir() . '/stampede-queue-' . getmypid();
mkdir($folder, 0700);
$queue = static function () use ($key): Swoole\Process {
    $process = new Swoole\Process(static fn () => null);
    $process->useQueue($key, 2);
    return $process;
};
$common = ['message_queue_key' => $key, 'task_tmpdir' => $folder, 'task_worker_num' => 2];
$keep = static function ($server): void {
    $GLOBALS['server'] = $server;
};

foreach ([2, 3] as $mode) {
    $free = new Swoole\Atomic(0);
    serve_tasks(['task_ipc_mode' => $mode, 'log_file' => '/dev/null'] + $common, [
        'task' => static function ($server, int $id, int $source, mixed $data) use ($free): mixed {
            if ($data === 'hold') {
                $free->add();
                for ($i = 0; $i < 10000 && $free->get() < 100; $i++) {
                    usleep(1000);
                }
                return 'held';
            }
            $data === 'kill' && posix_kill(getmypid(), SIGKILL);
            return is_string($data) ? md5($data) : [$server->worker_id, $data];
        },
        'request' => static function ($request, $response) use ($free): void {
            $server = $GLOBALS['server'];
            $shown = $server->setting['task_ipc_mode'] === 2 ? [$server->taskwait([1], 5, 0), $server->taskwait([2], 5, 1), $server->taskwait([3], 5, 1)] : [];
            foreach ([0, 3000, 3072, 3073, 1 << 20, 64 << 20] as $size) {
                $data = str_repeat('x', $size);
                $shown[] = $server->taskwait($data, 30) === md5($data);
            }
            $before = microtime(true);
            $shown[] = [$server->taskwait('kill', 20), microtime(true) - $before < 10, count($server->taskCo(range(1, 400), 20))];
            $held = new Swoole\Coroutine\Channel(1);
            go(static fn () => $held->push($server->taskwait('hold', 20, 0)));
            for ($i = 0; $i < 5000 && $free->get() === 0; $i++) {
                Swoole\Coroutine::sleep(0.002);
            }
            // For the held task worker: with mode 3 the other one takes it.
            $shown[] = $server->taskwait('x', 0.3, 0) !== false;
            $free->set(100);
            $shown[] = $held->pop(10);
            $response->end(json_encode($shown));
        },
    ], static function (callable $ask) use ($folder): void {
        echo $ask('/'), ' ', count(glob("$folder/*")), "\n";
    }, $keep);
}

// A queue that stays full: the coroutine that gives waits, others go on, and in the end it is told.
$go = new Swoole\Atomic(0);
$done = new Swoole\Atomic(0);
serve_tasks(['task_ipc_mode' => 3, 'log_file' => '/dev/null'] + $common, [
    'task' => static function () use ($go, $done): void {
        while ($go->get() === 0) {
            usleep(1000);
        }
        $done->add();
    },
    'request' => static function ($request, $response) use ($go, $done): void {
        $server = $GLOBALS['server'];
        $ticks = 0;
        $ticker = Swoole\Timer::tick(10, static function () use (&$ticks): void {
            $ticks++;
        });
        $warning = null;
        set_error_handler(static function (int $level, string $message) use (&$warning): bool {
            $warning = $message;
            return true;
        });
        $given = 0;
        $before = microtime(true);
        while ($server->task(str_repeat('x', 2000)) !== false && $given < 1000000) {
            $given++;
        }
        $shown = [$given > 4, microtime(true) - $before > 2.5, $ticks > 100, $warning];
        while ($server->task(str_repeat('x', 10000)) !== false && $given < 1000000) {
            $given++;
        }
        restore_error_handler();
        $shown = [...$shown, $given < 1000000, $server->stats()['task_queue_bytes'] >= 2000];
        Swoole\Timer::clear($ticker);
        $waiting = new Swoole\Coroutine\Channel(1);
        go(static fn () => $waiting->push($server->task('one more') !== false));
        Swoole\Timer::after(50, static fn () => $go->set(1));
        $shown[] = $waiting->pop(10);
        for ($i = 0; $i < 5000 && $done->get() < $given + 1; $i++) {
            Swoole\Coroutine::sleep(0.002);
        }
        $shown[] = $done->get() === $given + 1;
        $response->end(json_encode($shown));
    },
], static function (callable $ask) use ($folder): void {
    echo $ask('/'), ' ', count(glob("$folder/*")), "\n";
}, $keep);

// Tasks that no task worker takes before the end are done by the next server, also by one with fewer task workers, and nobody is told of their results.
foreach ([2, 3] as $mode) {
    $began = new Swoole\Atomic(0);
    serve_tasks(['task_ipc_mode' => $mode, 'max_wait_time' => 1, 'log_file' => '/dev/null'] + $common, [
        'task' => static function () use ($began): void {
            $began->add();
            while (true) {
                usleep(1000);
            }
        },
        'request' => static function ($request, $response) use ($began): void {
            $server = $GLOBALS['server'];
            $server->task('lost', 0);
            $server->task('lost', 1);
            for ($i = 0; $i < 5000 && $began->get() < 2; $i++) {
                Swoole\Coroutine::sleep(0.002);
            }
            $response->end(json_encode([$server->task(['kept', 1], 0), $server->task(['kept', 2], 1), $server->task(['kept', str_repeat('x', 1 << 20)], 1)]));
        },
    ], static fn (callable $ask) => print($ask('/') . "\n"), $keep);
    echo $queue()->statQueue()['queue_num'], ' ', count(glob("$folder/*")), "\n";
    $queue()->push('no task');
    $found = tempnam(sys_get_temp_dir(), 'found');
    $log = tempnam(sys_get_temp_dir(), 'log');
    serve_tasks(['task_ipc_mode' => $mode, 'log_file' => $log, 'log_level' => SWOOLE_LOG_NOTICE, 'task_worker_num' => 1] + $common, [
        'task' => static function ($server, int $id, int $source, array $data) use ($found): mixed {
            $told = @$server->finish('x');
            file_put_contents($found, json_encode([$server->worker_id, $data[0], is_string($data[1]) ? strlen($data[1]) : $data[1], $told]) . "\n", FILE_APPEND);
            return 1;
        },
        'finish' => static fn () => file_put_contents($found, "finished\n", FILE_APPEND),
        'request' => static function ($request, $response): void {
            for ($i = 0; $i < 5000 && $GLOBALS['server']->stats()['tasking_num'] > 0; $i++) {
                Swoole\Coroutine::sleep(0.002);
            }
            $response->end(json_encode([$GLOBALS['server']->stats()['tasking_num'], $GLOBALS['server']->stats()['task_queue_num']]));
        },
    ], static function (callable $ask) use ($found): void {
        until(static fn () => substr_count((string) file_get_contents($found), "\n") >= 3);
        echo $ask('/'), "\n";
    }, $keep);
    $lines = file($found);
    sort($lines);
    echo implode('', $lines), count(glob("$folder/*")), ' ', $queue()->statQueue()['queue_num'], "\n";
    echo substr_count(file_get_contents($log), '4 tasks that were given before'), substr_count(file_get_contents($log), 'is thrown away'), substr_count(file_get_contents($log), 'lost'), "\n";
    unlink($found);
    unlink($log);
}

// Workers and task workers are another user's processes; the supervisor and a user process give them large tasks.
chmod($folder, 01777);
$queue()->freeQueue();
$sizes = new Swoole\Table(8);
$sizes->column('size', Swoole\Table::TYPE_INT);
$sizes->create();
serve_tasks(['task_ipc_mode' => 2] + (posix_geteuid() === 0 ? ['user' => 'nobody'] : []) + $common, [
    'task' => static function ($server, int $id, int $source, array $data) use ($sizes): array {
        $sizes->set($data[0], ['size' => strlen($data[1])]);
        return [posix_geteuid(), strlen($data[1])];
    },
    'finish' => static fn () => null,
    'start' => static fn ($server) => $server->task(['supervisor', str_repeat('x', 20000)]),
    'request' => static fn ($request, $response) => $response->end(json_encode($GLOBALS['server']->taskwait(['worker', str_repeat('x', 30000)], 10) === [posix_geteuid(), 30000])),
], static function (callable $ask) use ($sizes, $folder): void {
    echo $ask('/'), ' ';
    var_dump(until(static fn () => ($sizes->get('supervisor', 'size') + $sizes->get('process', 'size')) === 60000), glob("$folder/*"));
}, static function ($server): void {
    $GLOBALS['server'] = $server;
    $server->addProcess(new Swoole\Process(static function () use ($server): void {
        $server->task(['process', str_repeat('x', 40000)]);
        while (true) {
            usleep(10000);
        }
    }));
});

// One that others can write to is not read.
$queue()->freeQueue();
$queue()->push('unserialize this');
$refused = new Swoole\Http\Server('127.0.0.1', 0);
$refused->set(['task_ipc_mode' => 2] + $common);
$refused->on('request', static fn () => 1);
$refused->on('task', static fn () => 1);
try {
    $refused->start();
} catch (Swoole\Exception $error) {
    echo str_replace(sprintf('0x%x', $key), 'KEY', $error->getMessage()), "\n";
}

$queue()->freeQueue();
rmdir($folder);
?>
--EXPECT--
[[1,[1]],[2,[2]],[2,[3]],true,true,true,true,true,true,[false,true,400],false,"held"] 0
[true,true,true,true,true,true,[false,true,400],true,"held"] 0
[true,true,true,"Swoole\\Server::task(): the task cannot be given: the message queue of the tasks is full (its size is the kernel's setting kernel.msgmnb)",true,true,true,true] 0
[2,3,4]
3 1
[0,0]
[1,"kept",1,false]
[1,"kept",1048576,false]
[1,"kept",2,false]
0 0
110
[2,3,4]
3 1
[0,0]
[1,"kept",1,false]
[1,"kept",1048576,false]
[1,"kept",2,false]
0 0
110
true bool(true)
array(0) {
}
message_queue_key: the message queue KEY can be used by other users, too: choose another key, or remove it (ipcrm)
