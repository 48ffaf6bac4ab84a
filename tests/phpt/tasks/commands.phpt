--TEST--
addCommand() and command(): from workers, task workers, the supervisor and user processes, in and outside of coroutines
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

$seen = new Swoole\Table(64);
$seen->column('text', Swoole\Table::TYPE_STRING, 512);
$seen->create();

/** What a call has returned, and its warning. */
function told(callable $call): array
{
    $text = null;
    set_error_handler(static function (int $level, string $message) use (&$text): bool {
        $text = substr($message, strpos($message, ': ') + 2);
        return true;
    });
    $value = $call();
    restore_error_handler();
    return [$value, $text];
}

foreach ([true, false] as $coroutines) {
    foreach ($seen as $key => $row) {
        $seen->del($key);
    }
    $process = new Swoole\Process(static function () use ($seen): void {
        $server = $GLOBALS['server'];
        $where = $server->command('where', 0, SWOOLE_SERVER_COMMAND_EVENT_WORKER, 'from a process');
        $seen->set('process', ['text' => json_encode([$where, $server->command('where', 0, SWOOLE_SERVER_COMMAND_MASTER, 'from a process')])]);
        while (true) {
            sleep(1);
        }
    });
    serve_tasks(['worker_num' => 2, 'task_worker_num' => 1, 'enable_coroutine' => $coroutines, 'log_file' => '/dev/null'], [
        // Not of the worker that waits for this task: without coroutines it would wait in vain.
        'task' => static fn ($server, int $id, int $source) => [$server->command('where', 1 - $source, SWOOLE_SERVER_COMMAND_EVENT_WORKER, 'from a task')['data'], $server->command('where', 0, SWOOLE_SERVER_COMMAND_TASK_WORKER, 1)['id']],
        'start' => static fn ($server) => Swoole\Timer::after(10, static fn () => $seen->set('start', ['text' => json_encode([
            $server->command('where', 1, SWOOLE_SERVER_COMMAND_EVENT_WORKER, 'from start'), $server->command('where', 0, SWOOLE_SERVER_COMMAND_MANAGER, 2)])])),
        'request' => static function ($request, $response): void {
            $server = $GLOBALS['server'];
            $other = 1 - $server->worker_id;
            $shown = [];
            foreach ([[$other, SWOOLE_SERVER_COMMAND_EVENT_WORKER], [$server->worker_id, SWOOLE_SERVER_COMMAND_WORKER], [0, SWOOLE_SERVER_COMMAND_TASK_WORKER],
                [0, SWOOLE_SERVER_COMMAND_MASTER], [0, SWOOLE_SERVER_COMMAND_MANAGER]] as [$id, $type]) {
                $where = $server->command('where', $id, $type, ['a' => [1, null]]);
                $shown[] = [$where['id'] === ($type === SWOOLE_SERVER_COMMAND_EVENT_WORKER ? $id : $where['id']) && $where['pid'] !== 0, $where['task'], $where['data']];
            }
            $shown[] = $server->command('raw', $other, SWOOLE_SERVER_COMMAND_EVENT_WORKER, null, false);
            $shown[] = told(static fn () => $server->command('raw', $other, SWOOLE_SERVER_COMMAND_EVENT_WORKER, null));
            $shown[] = told(static fn () => $server->command('throws', $other, SWOOLE_SERVER_COMMAND_EVENT_WORKER, null));
            $shown[] = told(static fn () => $server->command('nothing', $other, SWOOLE_SERVER_COMMAND_EVENT_WORKER, null));
            $shown[] = told(static fn () => $server->command('raw', 0, SWOOLE_SERVER_COMMAND_TASK_WORKER, null));
            $shown[] = told(static fn () => $server->command('where', 2, SWOOLE_SERVER_COMMAND_EVENT_WORKER, null));
            $shown[] = told(static fn () => $server->command('where', 0, SWOOLE_SERVER_COMMAND_REACTOR_THREAD, null));
            $shown[] = told(static fn () => $server->addCommand('late', 1, static fn () => ''));
            $shown[] = $server->taskwait('x', 10);
            $response->end(json_encode($shown));
        },
    ], static function (callable $ask) use ($seen): void {
        foreach (json_decode($ask('/')) as $line) {
            echo json_encode($line), "\n";
        }
        until(static fn () => $seen->exists('start') && $seen->exists('process'));
        echo preg_replace('/"pid":\d+,/', '', $seen->get('start', 'text') . "\n" . $seen->get('process', 'text')), "\n";
    }, static function ($server) use ($process, $coroutines): void {
        $GLOBALS['server'] = $server;
        $server->addProcess($process);
        $all = SWOOLE_SERVER_COMMAND_MASTER | SWOOLE_SERVER_COMMAND_MANAGER | SWOOLE_SERVER_COMMAND_EVENT_WORKER | SWOOLE_SERVER_COMMAND_TASK_WORKER | SWOOLE_SERVER_COMMAND_REACTOR_THREAD;
        var_dump($server->addCommand('where', $all, static fn ($server, string $data): string => json_encode(
            ['id' => $server->worker_id, 'pid' => getmypid(), 'task' => $server->taskworker, 'data' => $data])));
        var_dump($server->addCommand('raw', SWOOLE_SERVER_COMMAND_EVENT_WORKER, static fn ($server, string $data): string => "not JSON: $data"));
        var_dump($server->addCommand('throws', SWOOLE_SERVER_COMMAND_EVENT_WORKER, static fn () => throw new LogicException('as meant')));
        var_dump(told(static fn () => $server->addCommand('raw', 1, static fn () => ''))[0]);
    });
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(false)
[true,false,"{\"a\":[1,null]}"]
[true,false,"{\"a\":[1,null]}"]
[true,true,"{\"a\":[1,null]}"]
[true,false,"{\"a\":[1,null]}"]
[true,false,"{\"a\":[1,null]}"]
"not JSON: null"
[false,null]
[false,null]
[false,"there is no command [nothing]"]
[false,"the command [raw] is not for processes of this type"]
[false,"there is no process 2 of this type"]
[false,"processes of the type 4 do not exist: there are SWOOLE_SERVER_COMMAND_MASTER, _MANAGER, _WORKER and _TASK_WORKER"]
[false,"server is running, unable to add command"]
["\"from a task\"",2]
[{"id":1,"task":false,"data":"\"from start\""},{"id":-1,"task":false,"data":"2"}]
[{"id":0,"task":false,"data":"\"from a process\""},{"id":-1,"task":false,"data":"\"from a process\""}]
bool(true)
bool(true)
bool(true)
bool(false)
[true,false,"{\"a\":[1,null]}"]
[true,false,"{\"a\":[1,null]}"]
[true,true,"{\"a\":[1,null]}"]
[true,false,"{\"a\":[1,null]}"]
[true,false,"{\"a\":[1,null]}"]
"not JSON: null"
[false,null]
[false,null]
[false,"there is no command [nothing]"]
[false,"the command [raw] is not for processes of this type"]
[false,"there is no process 2 of this type"]
[false,"processes of the type 4 do not exist: there are SWOOLE_SERVER_COMMAND_MASTER, _MANAGER, _WORKER and _TASK_WORKER"]
[false,"server is running, unable to add command"]
["\"from a task\"",2]
[{"id":1,"task":false,"data":"\"from start\""},{"id":-1,"task":false,"data":"2"}]
[{"id":0,"task":false,"data":"\"from a process\""},{"id":-1,"task":false,"data":"\"from a process\""}]
