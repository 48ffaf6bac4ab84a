--TEST--
Tasks: coroutines in task workers, Task and TaskResult objects, results that come later, pack() and unpack()
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

use Swoole\Coroutine;
use Swoole\Server\Task;

$seen = new Swoole\Table(64);
$seen->column('text', Swoole\Table::TYPE_STRING, 512);
$seen->create();

foreach ([['task_enable_coroutine' => true], ['task_use_object' => true], ['task_object' => true], ['event_object' => true]] as $settings) {
    foreach ($seen as $key => $row) {
        $seen->del($key);
    }
    echo key($settings), "\n";
    serve_tasks($settings, [
        'task' => static function ($server, Task $task) use ($seen, $settings): mixed {
            if ($task->data === 'shape') {
                $finished = isset($settings['task_enable_coroutine']) ? @$server->finish('not so') : false;
                return [$task->id, $task->worker_id, is_float($task->dispatch_time), abs(microtime(true) - $task->dispatch_time) < 60, $task->flags, $finished, Coroutine::getCid() > 0];
            }
            if ($task->data === 'slow') {
                Coroutine::getCid() > 0 ? Coroutine::sleep(0.01) : usleep(1000);
                $task->finish('after a pause');
                return null;
            }
            if ($task->data === 'later') {
                go(static function () use ($task): void {
                    Coroutine::sleep(0.01);
                    $task->finish('from another coroutine');
                });
                return null;
            }
            if ($task->data === 'forgotten') {
                return null;
            }
            $task->data .= ' kept';
            return $task->data;
        },
        'finish' => static function ($server, $first, $data = null) use ($seen): void {
            $seen->set('finish', ['text' => is_object($first)
                ? json_encode([$first::class, $first->task_id >= 0, $first->task_worker_id, $first->dispatch_time > 1e9, $first->data]) : json_encode([$first >= 0, $data])]);
        },
        'request' => static function ($request, $response): void {
            $server = $GLOBALS['server'];
            $shown = [$server->taskwait('shape', 10)];
            $shown[] = $server->taskCo(['slow', 'later', 'slow', 'x'], 10);
            $began = microtime(true);
            $shown[] = [$server->taskwait('forgotten', 10), microtime(true) - $began < 5];
            $server->task('for the event');
            $response->end(json_encode($shown));
        },
    ], static function (callable $ask) use ($seen): void {
        foreach (json_decode($ask('/')) as $line) {
            echo json_encode($line), "\n";
        }
        until(static fn () => $seen->exists('finish'));
        echo $seen->get('finish', 'text'), "\n";
    }, static function ($server): void {
        $GLOBALS['server'] = $server;
    });
}

foreach (['', "a\0b", 5, null, [1, ['x' => true]], new ArrayObject([1])] as $value) {
    var_dump(Task::unpack(Task::pack($value)) == $value);
}
var_dump(Task::unpack('nothing'));
var_dump((new Task)->finish(1));
try {
    Task::pack(static fn () => 1);
} catch (Exception $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECTF--
task_enable_coroutine
[0,0,true,true,%d,false,true]
["after a pause","from another coroutine","after a pause","x kept"]
[false,true]
[true,"for the event kept"]
task_use_object
[0,0,true,true,%d,false,false]
["after a pause","from another coroutine","after a pause","x kept"]
[false,true]
[true,"for the event kept"]
task_object
[0,0,true,true,%d,false,false]
["after a pause","from another coroutine","after a pause","x kept"]
[false,true]
[true,"for the event kept"]
event_object
[0,0,true,true,%d,false,false]
["after a pause","from another coroutine","after a pause","x kept"]
[false,true]
["Swoole\\Server\\TaskResult",true,1,true,"for the event kept"]
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)

Warning: Swoole\Server\Task::unpack(): this is not what Swoole\Server\Task::pack() has made in %s on line %d
bool(false)

Warning: Swoole\Server\Task::finish(): this task was not given by a server in %s on line %d
bool(false)
Serialization of 'Closure' is not allowed
