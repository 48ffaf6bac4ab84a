--TEST--
addProcess(): results that nobody comes for are kept up to a limit, in a process that gives tasks without ever coming to its event loop
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../tasks/once.inc';

use Swoole\Process;

$log = tempnam(sys_get_temp_dir(), 'log');
$seen = new Swoole\Table(16);
$seen->column('text', Swoole\Table::TYPE_STRING, 1024);
$seen->create();

$process = new Process(static function () use ($log, $seen): void {
    $server = $GLOBALS['server'];
    $called = false;
    $size = 4000000;
    $dropped = until(static function () use ($server, $log, &$called, $size): bool {
        $server->task($size, -1, static function () use (&$called): void {
            $called = true;
        });
        return str_contains(file_get_contents($log), 'the results of tasks are dropped');
    });
    $seen->set('dropped', ['text' => json_encode([$dropped, $called, strlen($server->taskwait($size, 20))])]);
    $seen->set('log', ['text' => preg_replace('/process \d+/', 'process N', strstr(strstr(file_get_contents($log), 'the results'), "\n", true))]);
    while (true) {
        sleep(1);
    }
}, false, 0, false);
serve_tasks(['task_worker_num' => 1, 'log_file' => $log], [
    'task' => static fn ($server, int $id, int $source, int $size) => str_repeat('x', $size),
    'finish' => static fn () => 1,
], static function () use ($seen): void {
    var_dump(until(static fn () => $seen->exists('log')));
    echo $seen->get('dropped', 'text'), "\n", $seen->get('log', 'text'), "\n";
}, static function ($server) use ($process): void {
    $GLOBALS['server'] = $server;
    $server->addProcess($process);
});
unlink($log);
?>
--EXPECT--
bool(true)
[true,false,4000000]
the results of tasks are dropped: process N gives tasks and does not come to its event loop
