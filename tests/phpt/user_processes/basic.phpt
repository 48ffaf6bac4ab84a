--TEST--
addProcess(): numbers, the pipe in both directions from every process, tasks, messages, commands and the server's methods
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../tasks/once.inc';

use Swoole\Coroutine;
use Swoole\Process;

$seen = new Swoole\Table(256);
$seen->column('text', Swoole\Table::TYPE_STRING, 1024);
$seen->create();
$note = static fn (string $key, mixed $value) => $seen->set($key, ['text' => json_encode($value)]);

foreach ([false, true] as $coroutine) {
    foreach ($seen as $key => $row) {
        $seen->del($key);
    }
    $process = new Process(static function (Process $process) use ($note, $coroutine): void {
        $server = $GLOBALS['server'];
        $note('shape', [$process->id, $server->worker_id, $server->getWorkerId(), $server->taskworker, $process->pid === getmypid(), $server->worker_pid === getmypid(),
            $server->getWorkerPid(3) === getmypid(), Coroutine::getCid() > 0]);
        // One after the other, as a blocking process does.
        while (true) {
            $message = $coroutine ? $process->exportSocket()->recv() : $process->read();
            if ($message === 'task') {
                $note('task number', $server->task(['from' => 'process']));
            } elseif ($message === 'message') {
                $note('sent', [$server->sendMessage(['to' => 'worker'], 0), $server->sendMessage('to task worker', 2), @$server->sendMessage('to itself', 3)]);
            } elseif ($message === 'connections') {
                $note('connections', [is_int(count($server->connections)), $server->stats()['user_worker_num']]);
            } elseif ($message === 'reload') {
                $note('reload', $server->reload());
            } elseif ($message === 'wait') {
                $note('wait', $server->taskwait('for the waiting', 20));
            } else {
                $process->write("got $message");
            }
        }
    }, false, SOCK_DGRAM, $coroutine);
    $silent = new Process(static function (): void {
        while (true) {
            sleep(1);
        }
    });
    serve_tasks(['worker_num' => 2, 'task_worker_num' => 1], [
        'task' => static fn ($server, int $id, int $source, mixed $data) => match ($data) {
            'write' => $process->write('from the task worker'),
            'for the waiting' => "is $data",
            default => $note('task', [$source, $data]),
        },
        'pipeMessage' => static fn ($server, int $source, mixed $data) => $note("message to {$server->worker_id}", [$source, $data, Coroutine::getCid() > 0]),
        'finish' => static fn () => 1,
        'workerStart' => static fn ($server, int $id) => $seen->exists("start $id") ? $note("again $id", getmypid()) : $note("start $id", getmypid()),
        'request' => static function ($request, $response) use ($process, $silent): void {
            $path = substr($request->server['request_uri'], 1);
            if ($path === 'read') {
                $response->end(json_encode($process->read()));
            } elseif ($path === 'by-task') {
                $response->end(json_encode($GLOBALS['server']->taskwait('write', 10)));
            } elseif ($path === 'to-silent') {
                $response->end(json_encode($GLOBALS['server']->sendMessage('for the silent', 4)));
            } else {
                $response->end(json_encode($process->write($path)));
            }
        },
    ], static function (callable $ask) use ($seen): void {
        var_dump(until(static fn () => $seen->exists('shape')));
        foreach (['hello', 'read', 'by-task', 'read', 'task', 'message', 'connections', 'wait', 'to-silent'] as $path) {
            echo $path, ' ', $ask("/$path"), "\n";
        }
        until(static fn () => $seen->exists('task') && $seen->exists('message to 0') && $seen->exists('message to 2') && $seen->exists('wait'));
        foreach (['shape', 'task number', 'task', 'sent', 'message to 0', 'message to 2', 'connections', 'wait'] as $key) {
            echo $key, ' ', $seen->get($key, 'text'), "\n";
        }
        $ask('/reload');
        var_dump(until(static fn () => $seen->exists('again 0') && $seen->exists('again 1') && $seen->exists('again 2')));
        var_dump($seen->exists('start 3'));
    }, static function ($server) use ($process, $silent): void {
        $GLOBALS['server'] = $server;
        var_dump($server->addProcess($process), $process->id, $server->addProcess($silent), @$server->addProcess($silent));
    });
}
?>
--EXPECT--
int(1)
int(1)
int(2)
bool(false)
bool(true)
hello 5
read "got hello"
by-task 20
read "got from the task worker"
task 4
message 7
connections 11
wait 4
to-silent true
shape [3,3,3,false,true,true,true,false]
task number 0
task [3,{"from":"process"}]
sent [true,true,false]
message to 0 [3,{"to":"worker"},true]
message to 2 [3,"to task worker",false]
connections [true,2]
wait "is for the waiting"
bool(true)
bool(false)
int(1)
int(1)
int(2)
bool(false)
bool(true)
hello 5
read "got hello"
by-task 20
read "got from the task worker"
task 4
message 7
connections 11
wait 4
to-silent true
shape [3,3,3,false,true,true,true,true]
task number 0
task [3,{"from":"process"}]
sent [true,true,false]
message to 0 [3,{"to":"worker"},true]
message to 2 [3,"to task worker",false]
connections [true,2]
wait "is for the waiting"
bool(true)
bool(false)
