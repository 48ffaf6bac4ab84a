--TEST--
addProcess(): tasks of a coroutine that gives them for long without waiting are done meanwhile, and none of their results is lost
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../tasks/once.inc';

use Swoole\Coroutine;
use Swoole\Process;

const TASKS = 3000;
$done = new Swoole\Atomic(0);
$finished = new Swoole\Atomic(0);
$while_busy = new Swoole\Atomic(0);
$in_time = new Swoole\Atomic(0);
$process = new Process(static function () use ($done, $finished, $while_busy, $in_time): void {
    $server = $GLOBALS['server'];
    for ($i = 0; $i < TASKS; $i++) {
        $server->task('large', -1, static fn () => $finished->add());
    }
    // Without waiting: what has no room stays here, and in the task workers until they have no room either.
    for ($end = hrtime(true) + 20e9; $done->get() < TASKS && hrtime(true) < $end;) {
        $server->task('small');
        for ($pause = hrtime(true) + 1e6; hrtime(true) < $pause;) {
        }
    }
    $in_time->set($done->get() === TASKS ? 1 : 0);
    $while_busy->set($finished->get());
    Coroutine::sleep(3600);
}, false, 0, true);
serve_tasks(['task_worker_num' => 2, 'log_file' => '/dev/null'], [
    'task' => static function ($server, int $id, int $source, string $data) use ($done): ?string {
        if ($data === 'small') {
            return null;
        }
        usleep(1000);
        $done->add();
        return str_repeat('x', 20000);
    },
    'finish' => static fn () => null,
], static function () use ($finished, $while_busy, $in_time): void {
    var_dump(until(static fn () => $finished->get() === TASKS), $in_time->get(), $while_busy->get());
}, static function ($server) use ($process): void {
    $GLOBALS['server'] = $server;
    $server->addProcess($process);
});
?>
--EXPECT--
bool(true)
int(1)
int(0)
