<?php

declare(strict_types=1);

/*
 * A server whose worker gives tasks and waits for their results, one at a time.
 * usage: tasks.php ROUNDS SIZE    prints the CPU microseconds of the worker and the task worker per task
 */

function cpu(): float
{
    $usage = getrusage();
    return $usage['ru_utime.tv_sec'] * 1e6 + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_sec'] * 1e6 + $usage['ru_stime.tv_usec'];
}

[, $rounds, $size] = array_map(intval(...), $argv);
$server = new Swoole\Http\Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'task_worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING]);
$server->on('request', static fn () => null);
$server->on('task', static fn ($server, int $id, int $source, string $data) => $data === 'cpu' ? cpu() : $data);
$server->on('workerStart', static function (Swoole\Server $server) use ($rounds, $size): void {
    if ($server->taskworker) {
        return;
    }
    $data = str_repeat('x', $size);
    $server->taskwait($data, 10);
    $before = cpu() + $server->taskwait('cpu', 10);
    for ($i = 0; $i < $rounds; $i++) {
        if ($server->taskwait($data, 10) !== $data) {
            fwrite(STDERR, "a task has failed\n");
            break;
        }
    }
    printf("%.4f\n", ($server->taskwait('cpu', 10) + cpu() - $before) / $rounds);
    $server->shutdown();
});
$server->start();
