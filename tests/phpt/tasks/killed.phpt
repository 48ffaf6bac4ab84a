--TEST--
Tasks: a task worker that is killed at any moment, or that ends before its tasks, takes none with it unseen
--EXTENSIONS--
pcntl
posix
--INI--
memory_limit=512M
--ENV--
ASAN_OPTIONS=detect_leaks=0
--FILE--
<?php
require __DIR__ . '/once.inc';

const LATE = 8;

$done = new Swoole\Atomic();
$work = static function (mixed $data) use ($done): mixed {
    if ($data === 'sleep') {
        Swoole\Coroutine::sleep(20);
    } elseif ($data === 'large result') {
        $done->add();
        return str_repeat('r', 10000);
    }
    return strlen($data);
};
$settings = ['log_file' => '/dev/null', 'hook_flags' => 0, 'max_wait_time' => 1];
$prepare = static function ($server): void {
    $GLOBALS['server'] = $server;
};
$show = static function (callable $ask): void {
    echo $ask('/'), "\n";
};

// Results that wait for room with their sender.
serve_tasks($settings, [
    'task' => static fn ($server, int $id, int $source, mixed $data): mixed => $work($data),
    'finish' => static fn () => null,
    'request' => static function ($request, $response) use ($done): void {
        $server = $GLOBALS['server'];
        go(static function () use ($server, $response): void {
            $began = microtime(true);
            $results = $server->taskCo(array_fill(0, 100, 'large result'), LATE + 5);
            $there = count(array_filter($results));
            $response->end(json_encode([count($results), $there > 0 && $there < 100, microtime(true) - $began < LATE]));
        });
        for ($i = 0; $i < 10000 && $done->get() < 100; $i++) {
            usleep(1000);
        }
        usleep(50000);
        posix_kill($server->getWorkerPid(1), SIGKILL);
    },
], $show, $prepare);

// Tasks that are not done in the time that their process has to end.
serve_tasks(['task_enable_coroutine' => true] + $settings, [
    'task' => static fn ($server, $task) => $task->finish($work($task->data)),
    'request' => static function ($request, $response): void {
        $server = $GLOBALS['server'];
        go(static function () use ($server): void {
            Swoole\Coroutine::sleep(0.2);
            posix_kill($server->master_pid, SIGUSR2);
        });
        $began = microtime(true);
        $response->end(json_encode([$server->taskwait('sleep', LATE + 5), microtime(true) - $began < LATE]));
    },
], $show, $prepare);

// Kills while a task is being taken, which takes some milliseconds when it is large. One is killed for each task, a little later each time: task
// workers that end soon after their start have no successor for a while.
$queue = ['message_queue_key' => 0x59000000 | (getmypid() & 0xffffff)];
foreach ([[1, 16, 0.0005, 0, []], [3, 1, 0.002, 1.1, []], [2, 16, 0.0005, 0, $queue]] as [$mode, $workers, $step, $pause, $more]) {
    serve_tasks(['task_worker_num' => $workers, 'task_ipc_mode' => $mode] + $more + $settings, [
        'task' => static fn ($server, int $id, int $source, mixed $data): mixed => $work($data),
        'finish' => static fn () => null,
        'request' => static function ($request, $response) use ($workers, $step, $pause): void {
            $server = $GLOBALS['server'];
            $large = str_repeat('x', 20 << 20);
            $kills = $right = $told = $late = 0;
            for ($i = 0; $i < max($workers, 5) && $late === 0; $i++) {
                Swoole\Coroutine::sleep($pause + 0.001);
                $victim = $server->getWorkerPid(1 + $i % $workers);
                go(static function () use ($victim, $i, $step, &$kills): void {
                    Swoole\Coroutine::sleep(0.001 + $step * $i);
                    $kills += posix_kill($victim, SIGKILL) ? 1 : 0;
                });
                $began = microtime(true);
                $result = $server->taskwait($large, LATE + 5, $i % $workers);
                $right += $result === strlen($large) ? 1 : 0;
                $told += $result === false ? 1 : 0;
                $late += microtime(true) - $began > LATE ? 1 : 0;
            }
            $response->end(json_encode([$kills === $i, $right + $told === $i, $late]));
        },
    ], $show, $prepare);
}
$remover = new Swoole\Process(static fn () => null);
$remover->useQueue($queue['message_queue_key'], 2);
$remover->freeQueue();
?>
--EXPECT--
[100,true,true]
[false,true]
[true,true,0]
[true,true,0]
[true,true,0]
