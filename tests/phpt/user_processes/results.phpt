--TEST--
addProcess(): results of the tasks that a user process gives come back to it, in coroutines, outside of them, and in its event loop
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

/** What a call has returned, how long it took at most, and its warning. */
function within(float $seconds, callable $call): array
{
    error_clear_last();
    $began = microtime(true);
    $value = @$call();
    return [$value, microtime(true) - $began < $seconds, error_get_last()['message'] ?? null];
}

$waits = static function (Swoole\Server $server): array {
    $large = str_repeat('x', 5000000);
    return [
        $server->taskwait(['any' => ['value', 1.5]], 20),
        $server->taskwait($large, 20) === $large,
        $server->taskwait('endless', -1, 1),
        within(10, static fn () => $server->taskwait('nothing', 20)),
        within(10, static fn () => $server->taskwait('kill', 20)),
        within(10, static fn () => $server->taskwait('sleep', 0.01)),
        $server->taskWaitMulti(['a', 'nothing', 'b'], 20),
    ];
};
$in_child = static function (Swoole\Server $server) use ($note): void {
    $pid = pcntl_fork();
    if ($pid === 0) {
        $note('child', within(10, static fn () => $server->taskwait('x', -1)));
        posix_kill(getmypid(), SIGKILL);
    }
    pcntl_waitpid($pid, $status);
};

$processes = [
    // 4: outside of coroutines, never in its loop
    new Process(static function () use ($note, $waits, $in_child): void {
        $server = $GLOBALS['server'];
        $note('blocking', [Coroutine::getCid(), ...$waits($server)]);
        $in_child($server);
        while (true) {
            sleep(1);
        }
    }, false, 0, false),
    // 5: a coroutine
    new Process(static function () use ($note, $waits): void {
        $server = $GLOBALS['server'];
        $note('coroutine', [Coroutine::getCid() > 0, ...$waits($server)]);
        $note('taskCo', $server->taskCo(['a', 'nothing', 'b'], 20));
        $server->task('finish in a coroutine');
        $server->task('own', -1, static fn ($server, int $id, mixed $data) => $note('own', [$server->worker_id, $id >= 0, $data]));
        Coroutine::sleep(3600);
    }, false, 0, true),
    // 6: its function returns to the event loop
    new Process(static function () use ($note): void {
        Swoole\Timer::tick(3600000, static fn () => 1);
        $GLOBALS['server']->task('finish in the loop');
    }, false, 0, false),
];
serve_tasks(['worker_num' => 2, 'task_worker_num' => 2, 'log_file' => '/dev/null'], [
    'task' => static function ($server, int $id, int $source, mixed $data): mixed {
        return match ($data) {
            'nothing' => null,
            'kill' => posix_kill(getmypid(), SIGKILL),
            'sleep' => usleep(50000),
            default => $data,
        };
    },
    'finish' => static fn ($server, int $id, mixed $data) => is_string($data) && $note($data, [$server->worker_id, $id >= 0, getmypid() === $server->worker_pid]),
    'pipeMessage' => static function ($server, int $source, mixed $data) use ($note): void {
        $note("$data: from $source to {$server->worker_id}", Coroutine::getCid() > 0);
        if ($data === 'ping') {
            $server->sendMessage('pong', $source);
        }
    },
    'request' => static function ($request, $response): void {
        $server = $GLOBALS['server'];
        $response->end(json_encode([$server->sendMessage('ping', 5), $server->sendMessage('ping', 6), within(1, static fn () => $server->sendMessage('ping', 7))]));
    },
], static function (callable $ask) use ($seen): void {
    $keys = ['blocking', 'child', 'coroutine', 'taskCo', 'own', 'finish in a coroutine', 'finish in the loop'];
    until(static fn () => array_filter($keys, $seen->exists(...)) === $keys);
    foreach ($keys as $key) {
        echo $key, ' ', $seen->get($key, 'text'), "\n";
    }
    echo $ask('/'), "\n";
    $pongs = static fn () => count(array_filter(array_keys(iterator_to_array($seen)), static fn (string $key) => str_starts_with($key, 'pong')));
    until(static fn () => $pongs() === 2);
    $messages = [];
    foreach ($seen as $key => $row) {
        if (str_contains($key, ': from')) {
            $messages[] = preg_replace('/(from|to) [01]\b/', '$1 a worker', $key) . ' ' . $row['text'];
        }
    }
    sort($messages);
    echo implode("\n", $messages), "\n";
}, static function ($server) use ($processes): void {
    $GLOBALS['server'] = $server;
    array_map($server->addProcess(...), $processes);
});
?>
--EXPECT--
blocking [-1,{"any":["value",1.5]},true,"endless",[false,true,null],[false,true,null],[false,true,null],{"0":"a","2":"b"}]
child [false,true,"Swoole\\Server::taskwait(): a child of a server's process cannot wait for tasks: no result comes here"]
coroutine [true,{"any":["value",1.5]},true,"endless",[false,true,null],[false,true,null],[false,true,null],{"0":"a","2":"b"}]
taskCo ["a",false,"b"]
own [5,true,"own"]
finish in a coroutine [5,true,true]
finish in the loop [6,true,true]
[true,true,[false,true,"Swoole\\Server::sendMessage(): there is no worker 7: the last one is 6"]]
ping: from a worker to 5 true
ping: from a worker to 6 true
pong: from 5 to a worker true
pong: from 6 to a worker true
