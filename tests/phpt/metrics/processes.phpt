--TEST--
Workers, task workers, user processes and their children count together, and the server's first process has the text
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
use Stampede\Metrics;

$counted = new Swoole\Atomic(0);
$work = Metrics::counter('work', 'What was done.', ['where']); // before there is a server
$server = new Swoole\Http\Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'task_worker_num' => 1, 'enable_metrics' => true, 'log_level' => SWOOLE_LOG_WARNING]);
$server->on('request', static function (): void {});
$server->on('workerStart', static function (Swoole\Http\Server $server, int $worker) use ($work): void {
    if (!$server->taskworker) {
        $work->inc(['worker']);
        $server->task('a');
    }
});
$server->on('task', static function () use ($work): string {
    $work->inc(['task worker'], 2);
    return 'done';
});
$server->on('finish', static function (Swoole\Http\Server $server) use ($counted): void {
    while ($counted->get() < 1) {
        usleep(1000);
    }
    $server->shutdown();
});
$server->addProcess(new Swoole\Process(static function () use ($work, $counted): void {
    $work->inc(['user process'], 3);
    $child = pcntl_fork();
    if ($child === 0) {
        $work->inc(['child'], 4);
        posix_kill(getmypid(), SIGKILL);
    }
    pcntl_waitpid($child, $status);
    $counted->add(1);
    sleep(60);
}, false, 0, false));
$server->on('shutdown', static function () use ($work): void {
    $work->inc(['supervisor'], 5);
    echo implode("\n", preg_grep('/^(# TYPE )?work/', explode("\n", Stampede\metrics_text()))), "\n";
    echo preg_match('/^stampede_tasks_given_total 1$/m', Stampede\metrics_text()), substr(Stampede\metrics_text(true), -7);
});
$server->start();
var_dump(Stampede\metrics_text());
?>
--EXPECT--
# TYPE work_total counter
work_total{where="child"} 4
work_total{where="supervisor"} 5
work_total{where="task worker"} 2
work_total{where="user process"} 3
work_total{where="worker"} 1
1
# EOF
NULL
