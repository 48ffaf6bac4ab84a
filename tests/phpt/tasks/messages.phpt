--TEST--
sendMessage(): every kind of value between workers, task workers and the supervisor; kept over a reload; refused where it must be
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

use Swoole\Coroutine;
use Swoole\Server\PipeMessage;

$seen = new Swoole\Table(4096);
$seen->column('text', Swoole\Table::TYPE_STRING, 512);
$seen->create();
$count = new Swoole\Atomic(0);

foreach ([false, true] as $object) {
    foreach ($seen as $key => $row) {
        $seen->del($key);
    }
    $count->set(0);
    serve_tasks(['worker_num' => 2, 'event_object' => $object], [
        'workerStart' => static fn ($server, int $id) => $seen->exists("start $id") ? $seen->set("again $id", ['text' => '']) : $seen->set("start $id", ['text' => '']),
        'start' => static function ($server) use ($seen): void {
            $server->sendMessage('from the supervisor', 0);
            Swoole\Timer::after(1, static fn () => $server->sendMessage('from a timer', 2));
            $seen->set('warning', ['text' => json_encode([@$server->sendMessage('x', -1), error_get_last()['message']])]);
        },
        'task' => static function ($server, $first, $source = 0, $data = null) use ($object): mixed {
            $data = $object ? $first->data : $data;
            return [$server->sendMessage([$data, null, 1.5], 1), @$server->sendMessage('x', $server->worker_id)];
        },
        'pipeMessage' => static function ($server, $source, mixed $data = null) use ($seen, $object, $count): void {
            if ($object) {
                $shape = [$source::class, $source->worker_id === $source->source_worker_id, abs(microtime(true) - $source->dispatch_time) < 60];
                $data = $source->data;
                $source = $source->source_worker_id;
            }
            if ($data === 'count') {
                Coroutine::getCid() > 0 && Coroutine::sleep(0.001);
                $count->add();
                return;
            }
            $where = $server->worker_id;
            $text = is_string($data) && strlen($data) > 100 ? 'large ' . strlen($data) . ' ' . md5($data) : json_encode($data);
            $seen->set("$source to $where " . count($seen), ['text' => "$source to $where: $text" . ($object ? ' ' . json_encode($shape) : '')]);
        },
        'request' => static function ($request, $response): void {
            $server = $GLOBALS['server'];
            $me = $server->worker_id;
            $path = $request->server['request_uri'];
            if ($path === '/count') {
                $sent = 0;
                for ($i = 0; $i < 500; $i++) {
                    $sent += (int) $server->sendMessage('count', 1 - $me) + (int) $server->sendMessage('count', 2);
                }
                $response->end((string) $sent);
                return;
            }
            $shown = [];
            foreach (['', 'text', 7, false, ['a' => 1], str_repeat('x', 5000000)] as $value) {
                $shown[] = $server->sendMessage($value, 1 - $me);
            }
            $shown[] = [@$server->sendMessage('x', $me), @$server->sendMessage('x', 3)];
            $shown[] = $server->taskwait('by the task worker', 10);
            $response->end(json_encode($shown));
        },
    ], static function (callable $ask, $server) use ($seen, $count, $object): void {
        echo $ask('/'), "\n";
        until(static fn () => count($seen) >= 13);
        $lines = [];
        foreach ($seen as $key => $row) {
            if ($key !== 'warning' && $row['text'] !== '') {
                $lines[] = preg_replace('/^[01] to [01]: /', 'W to W: ', $row['text']);
            }
        }
        sort($lines);
        echo implode("\n", $lines), "\n", $seen->get('warning', 'text'), "\n";
        // Messages that arrive while their receivers are replaced.
        $sent = (int) $ask('/count');
        posix_kill($server->master_pid, SIGUSR1);
        $sent += (int) $ask('/count');
        var_dump(until(static fn () => $seen->exists('again 0') && $seen->exists('again 1') && $seen->exists('again 2')));
        var_dump($sent, until(static fn () => $count->get() === $sent));
    }, static function ($server): void {
        $GLOBALS['server'] = $server;
    });
}

// Without the event.
serve_tasks(['worker_num' => 2, 'task_worker_num' => 0], ['request' => static function ($request, $response): void {
    $response->end(json_encode([@$GLOBALS['server']->sendMessage('x', 1 - $GLOBALS['server']->worker_id), error_get_last()['message']]));
}], static fn (callable $ask) => print($ask('/') . "\n"), static function ($server): void {
    $GLOBALS['server'] = $server;
});
?>
--EXPECT--
[true,true,true,true,true,true,[false,false],[true,false]]
-1 to 0: "from the supervisor"
-1 to 2: "from a timer"
2 to 1: ["by the task worker",null,1.5]
W to W: ""
W to W: "text"
W to W: 7
W to W: false
W to W: large 5000000 9dff3479548c346bbeeeab2c23af22fd
W to W: {"a":1}
[false,"Swoole\\Server::sendMessage(): there is no worker -1: the last one is 2"]
bool(true)
int(2000)
bool(true)
[true,true,true,true,true,true,[false,false],[true,false]]
-1 to 0: "from the supervisor" ["Swoole\\Server\\PipeMessage",true,true]
-1 to 2: "from a timer" ["Swoole\\Server\\PipeMessage",true,true]
2 to 1: ["by the task worker",null,1.5] ["Swoole\\Server\\PipeMessage",true,true]
W to W: "" ["Swoole\\Server\\PipeMessage",true,true]
W to W: "text" ["Swoole\\Server\\PipeMessage",true,true]
W to W: 7 ["Swoole\\Server\\PipeMessage",true,true]
W to W: false ["Swoole\\Server\\PipeMessage",true,true]
W to W: large 5000000 9dff3479548c346bbeeeab2c23af22fd ["Swoole\\Server\\PipeMessage",true,true]
W to W: {"a":1} ["Swoole\\Server\\PipeMessage",true,true]
[false,"Swoole\\Server::sendMessage(): there is no worker -1: the last one is 2"]
bool(true)
int(2000)
bool(true)
[false,"Swoole\\Server::sendMessage(): there is no event pipeMessage: set it with on() before start()"]
