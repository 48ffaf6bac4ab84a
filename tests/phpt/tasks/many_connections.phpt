--TEST--
Task workers do not change which connections a server has: all of a worker are listed, the later ones, too
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

$server = null;
serve_tasks(['worker_num' => 1, 'task_worker_num' => 3], [
    'task' => static fn ($server, int $id, int $source, mixed $fd) => [$server->exists($fd), in_array($fd, iterator_to_array($server->connections), true)],
    'workerStart' => static function ($started): void {
        $GLOBALS['server'] = $started;
    },
    'finish' => static fn () => 1,
    'request' => static function ($request, $response): void {
        $server = $GLOBALS['server'];
        $listed = in_array($request->fd, iterator_to_array($server->connections), true);
        $response->end(json_encode([$listed, $server->taskwait($request->fd, 10)]));
    },
], static function (callable $get): void {
    for ($i = 0; $i < 4; $i++) {
        echo $get("/"), "\n";
    }
});
?>
--EXPECT--
[true,[true,true]]
[true,[true,true]]
[true,[true,true]]
[true,[true,true]]
