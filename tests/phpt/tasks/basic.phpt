--TEST--
Tasks: task(), taskwait(), taskCo(), taskWaitMulti() and their results, from workers and from the supervisor
--EXTENSIONS--
pcntl
posix
--INI--
zend.exception_ignore_args=1
--FILE--
<?php
require __DIR__ . '/once.inc';

final class Payload
{
    public function __construct(public array $values, public ?Throwable $error = null)
    {
    }
}

$ids = new Swoole\Table(64);
$ids->column('text', Swoole\Table::TYPE_STRING, 512);
$ids->create();

serve_tasks(['worker_num' => 1, 'task_worker_num' => 2], [
    'workerStart' => static function ($server, int $id) use ($ids): void {
        $ids->set("start $id", ['text' => json_encode([$server->worker_id, $server->taskworker, $server->getWorkerId()])]);
    },
    'task' => static function ($server, int $id, int $source, mixed $data) use ($ids): mixed {
        if ($data === 'from start') {
            $ids->set('supervisor', ['text' => json_encode([$id, $source])]);
            return @$server->finish('for nobody') === false ? null : 'wrong';
        }
        if ($data === 'twice') {
            $server->finish('one');
            $server->finish('two');
            return null;
        }
        if ($data === 'who') {
            return $server->worker_id;
        }
        if ($data === 'silent') {
            return null;
        }
        return $data;
    },
    'finish' => static function ($server, int $id, mixed $data) use ($ids): void {
        $ids->set("finish $data", ['text' => (string) $id]);
    },
    'start' => static function ($server): void {
        $server->task('from start');
    },
    'request' => static function ($request, $response) use (&$server): void {
        $server = $GLOBALS['server'];
        $shown = [];
        foreach (['', "zero\0byte", 0, 1.5, true, false, [], [1, 'a' => [null]]] as $value) {
            $shown[] = $server->taskwait($value, 10) === $value;
        }
        $shown[] = $server->taskwait(null, 10);
        $reply = $server->taskwait(new Payload([1, 2], new LogicException('broken', 7)), 10);
        $shown[] = [$reply::class, $reply->values, $reply->error::class, $reply->error->getMessage(), $reply->error->getCode()];
        $large = random_bytes(1 << 20);
        $shown[] = $server->taskwait($large, 10) === $large;
        $shown[] = [$server->taskwait('who', 10, 0), $server->taskwait('who', 10, 1), $server->taskwait('who', 10, 1)];
        $shown[] = $server->taskCo(['x' => 'a', 'y' => 'b'], 10);
        $shown[] = $server->taskWaitMulti(['x' => 'a', 'y' => 'silent', 'z' => 'c'], 10);
        $shown[] = $server->taskCo(['silent', 'b'], 10);
        $shown[] = $server->taskWaitMulti(['silent'], 10);
        $shown[] = $server->taskWaitMulti([], 10);
        try {
            $server->task(static fn () => 1);
        } catch (Exception $error) {
            $shown[] = $error->getMessage();
        }
        $done = new Swoole\Coroutine\Channel(1);
        $first = $server->task('called', -1, static fn ($server, int $id, string $data) => $done->push([$id, $data]));
        [$id, $data] = $done->pop(10);
        $shown[] = [$id === $first, $data];
        $shown[] = $server->task('to finish') === $first + 1;
        $shown[] = is_int($server->task('twice'));
        $response->end(json_encode($shown));
    },
], static function (callable $ask) use ($ids): void {
    foreach (json_decode($ask('/')) as $line) {
        echo json_encode($line), "\n";
    }
    var_dump(until(static fn () => $ids->exists('finish to finish') && $ids->exists('finish one') && $ids->exists('finish two')));
    var_dump(until(static fn () => $ids->exists('supervisor')));
    var_dump($ids->get('finish one', 'text') === $ids->get('finish two', 'text'), $ids->get('supervisor', 'text'));
    for ($i = 0; $i < 3; $i++) {
        echo $ids->get("start $i", 'text'), "\n";
    }
}, static function ($server): void {
    $GLOBALS['server'] = $server;
});
?>
--EXPECT--
true
true
true
true
true
true
true
true
false
["Payload",[1,2],"LogicException","broken",7]
true
[1,2,2]
["a","b"]
{"0":"a","2":"c"}
[false,"b"]
false
[]
"Serialization of 'Closure' is not allowed"
[true,"called"]
true
true
bool(true)
bool(true)
bool(true)
string(6) "[0,-1]"
[0,false,0]
[1,true,1]
[2,true,2]
