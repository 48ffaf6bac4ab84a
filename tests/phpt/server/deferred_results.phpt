--TEST--
Deferred calls of request and task are given what the handler has returned
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Coroutine\Http\Client;
use Swoole\Http\Server;
use Swoole\Server\Task;

$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'task_worker_num' => 1, 'task_enable_coroutine' => true, 'log_level' => SWOOLE_LOG_WARNING]);
$server->on('request', static function ($request, $response) use ($server): array {
    Coroutine::defer(static fn (array $returned) => $response->end(json_encode($returned)));
    return ['task' => $server->taskwait('work', 10)];
});
$server->on('task', static function (Server $server, Task $task): string {
    Coroutine::defer(static fn (string $returned) => $task->finish($returned));
    Coroutine::sleep(0.001);
    return "result of $task->data";
});
$server->on('finish', static fn () => null);
$server->on('workerStart', static function (Server $server): void {
    if ($server->taskworker) {
        return;
    }
    go(static function () use ($server): void {
        $client = new Client('127.0.0.1', $server->port);
        $client->get('/');
        echo $client->body, "\n";
        $server->shutdown();
    });
});
$server->start();
?>
--EXPECT--
{"task":"result of work"}
