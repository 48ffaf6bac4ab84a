--TEST--
addProcess(): started again when it ends, delayed when it ends at once, told of by workerError, killed when it does not end
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../tasks/once.inc';

use Swoole\Process;

$seen = new Swoole\Table(256);
$seen->column('count', Swoole\Table::TYPE_INT);
$seen->create();

$short = new Process(static fn () => $seen->incr('short', 'count'));
$killed = new Process(static function () use ($seen): void {
    $seen->set('killed pid', ['count' => getmypid()]);
    $seen->incr('killed', 'count');
    while (true) {
        sleep(1);
    }
});
$handler = new Process(static function () use ($seen): void {
    Process::signal(SIGTERM, static function () use ($seen): void {
        $seen->incr('handled', 'count');
        Process::signal(SIGTERM, null);
        Swoole\Event::exit();
    });
    Swoole\Timer::tick(100000, static fn () => 1);
    $seen->incr('listens', 'count');
}, false, 0, false);
$stubborn = new Process(static function () use ($seen): void {
    pcntl_async_signals(true);
    pcntl_signal(SIGTERM, static fn () => $seen->incr('ignored', 'count'));
    $seen->incr('stubborn', 'count');
    while (true) {
        sleep(1);
    }
});
$began = 0.0;
serve_tasks(['task_worker_num' => 0, 'log_file' => '/dev/null', 'max_wait_time' => 1], [
    'workerError' => static fn ($server, int $id, int $pid, int $code, int $signal) => $seen->incr("error $id $signal", 'count'),
], static function (callable $ask, $server) use ($seen, &$began): void {
    var_dump(until(static fn () => $seen->exists('killed') && $seen->exists('listens') && $seen->exists('stubborn')));
    posix_kill($seen->get('killed pid', 'count'), SIGKILL);
    var_dump(until(static fn () => $seen->get('killed', 'count') === 2));
    // At once, then after a second each time.
    var_dump(until(static fn () => $seen->get('short', 'count') >= 3), $seen->get('short', 'count') <= 6);
    $seen->set('stopped at', ['count' => hrtime(true)]);
}, static function ($server) use ($short, $killed, $handler, $stubborn): void {
    foreach ([$short, $killed, $handler, $stubborn] as $process) {
        $server->addProcess($process);
    }
});
$took = (hrtime(true) - $seen->get('stopped at', 'count')) / 1e9;
var_dump($seen->get('handled', 'count'), $seen->get('ignored', 'count'), $took > 1.5 && $took < 15);
var_dump($seen->get('error 2 9', 'count'), $seen->exists('error 2 15'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
int(1)
int(1)
bool(true)
int(1)
bool(false)
