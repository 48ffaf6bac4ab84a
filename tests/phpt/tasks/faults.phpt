--TEST--
Tasks: killed and failing task workers, exceptions, time-outs, recycling; who waits is told at once
--EXTENSIONS--
pcntl
posix
--ENV--
ASAN_OPTIONS=detect_leaks=0
--FILE--
<?php
require __DIR__ . '/once.inc';

$seen = new Swoole\Table(1024);
$seen->column('count', Swoole\Table::TYPE_INT);
$seen->create();

serve_tasks(['task_worker_num' => 1, 'task_max_request' => 20, 'task_max_request_grace' => 0, 'log_file' => '/dev/null'], [
    'workerStart' => static fn ($server) => $seen->incr($server->taskworker ? 'task worker starts' : 'worker starts', 'count'),
    'workerError' => static fn ($server, int $id, int $pid, int $code, int $signal) => $seen->incr("error $id $code $signal", 'count'),
    'task' => static function ($server, int $id, int $source, mixed $data) use ($seen): mixed {
        $seen->incr('tasks', 'count');
        return match ($data) {
            'kill' => posix_kill(getmypid(), SIGKILL),
            'fatal' => ini_set('display_errors', '0') . eval('final class Sealed {} class Broken extends Sealed {}'),
            'throw' => throw new LogicException('as meant'),
            'exit' => exit(3),
            'sleep' => usleep(300000),
            'pid' => getmypid(),
            default => $data,
        };
    },
    'request' => static function ($request, $response): void {
        $server = $GLOBALS['server'];
        $shown = [];
        foreach (['throw', 'exit', 'kill', 'fatal'] as $fault) {
            $began = microtime(true);
            $shown[] = [$fault, $server->taskwait($fault, 20), microtime(true) - $began < 10];
            $shown[] = $server->taskwait('alive', 20);
        }
        $shown[] = $server->taskCo(['a', 'kill', 'b'], 20);
        $shown[] = $server->taskwait('sleep', 0.05);
        $shown[] = $server->taskwait('after it', 20);
        // Recycling loses none of those that wait.
        $pids = $server->taskCo(array_fill(0, 200, 'pid'), 20);
        $shown[] = [count($pids), count(array_filter($pids)), count(array_unique($pids)) >= 10];
        // A result may be here before its task counts as done.
        for ($i = 0; $i < 2000 && ($stats = $server->stats())['tasking_num'] > 0; $i++) {
            Swoole\Coroutine::sleep(0.002);
        }
        $shown[] = [$stats['tasking_num'], $stats['task_idle_worker_num'], $stats['task_worker_num'], $stats['task_count'] >= 213];
        $response->end(json_encode($shown));
    },
], static function (callable $ask) use ($seen): void {
    foreach (json_decode($ask('/')) as $line) {
        echo json_encode($line), "\n";
    }
    var_dump($seen->get('worker starts', 'count'), $seen->get('task worker starts', 'count') >= 12);
    var_dump($seen->get('error 1 0 9', 'count'), $seen->get('error 1 255 0', 'count'), $seen->exists('error 0 0 9'));
}, static function ($server): void {
    $GLOBALS['server'] = $server;
});
?>
--EXPECT--
["throw",false,true]
"alive"
["exit",false,true]
"alive"
["kill",false,true]
"alive"
["fatal",false,true]
"alive"
["a",false,"b"]
false
"after it"
[200,200,true]
[0,1,1,true]
int(1)
bool(true)
int(2)
int(1)
bool(false)
