--TEST--
Tasks: what is refused, and payloads of up to 64 MiB
--EXTENSIONS--
pcntl
posix
--INI--
memory_limit=1G
--FILE--
<?php
require __DIR__ . '/once.inc';

/** What a call has returned, and its warning. */
function told(callable $call): array
{
    $text = null;
    set_error_handler(static function (int $level, string $message) use (&$text): bool {
        $text = $message;
        return true;
    });
    try {
        $value = $call();
    } catch (Throwable $error) {
        $value = $error::class . ': ' . $error->getMessage();
    }
    restore_error_handler();
    return [$value, $text];
}

function show(callable $call): void
{
    [$value, $text] = told($call);
    echo json_encode($value), ' ', $text, "\n";
}

$server = new Swoole\Http\Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'task_worker_num' => 1]);
$server->on('request', static fn () => 1);
show(static fn () => $server->task('x'));
show(static fn () => $server->start());
$server->on('task', static fn () => 1);
$server->set(['task_ipc_mode' => 2, 'message_queue_key' => '12 34']);
show(static fn () => $server->start());
unset($server);

serve_tasks(['task_worker_num' => 0, 'log_file' => '/dev/null'], ['request' => static function ($request, $response): void {
    $server = $GLOBALS['server'];
    $response->end(json_encode([told(static fn () => $server->task('x')), told(static fn () => $server->taskwait('x')), told(static fn () => $server->finish('x'))]));
}], static function (callable $ask): void {
    foreach (json_decode($ask('/')) as $line) {
        echo json_encode($line), "\n";
    }
}, static function ($server): void {
    $GLOBALS['server'] = $server;
});

$found = tempnam(sys_get_temp_dir(), 'found');
serve_tasks(['task_worker_num' => 2, 'log_file' => '/dev/null', 'package_max_length' => 1 << 20], [
    'task' => static function ($server, int $id, int $source, mixed $data): mixed {
        if ($data === 'nested') {
            return [told(static fn () => $server->task('x')), told(static fn () => $server->taskwait('x'))];
        }
        return is_string($data) ? [strlen($data), md5($data)] : null;
    },
    'start' => static fn ($server) => file_put_contents($found, json_encode(told(static fn () => $server->taskwait('x')))),
    'request' => static function ($request, $response): void {
        $server = $GLOBALS['server'];
        $shown = [told(static fn () => $server->task('x', 2)), told(static fn () => $server->taskwait('x', 1, 99)), $server->taskwait('nested', 10)];
        $shown[] = told(static fn () => $server->taskCo(array_fill(0, 1024, 'x'), 1));
        $sizes = [61440 - 100, 61440, 61441, 1 << 20, 64 << 20];
        foreach ($sizes as $size) {
            $data = str_repeat('abcdefg', intdiv($size, 7)) . str_repeat('h', $size % 7);
            $shown[] = $server->taskwait($data, 30) === [$size, md5($data)];
        }
        $shown[] = told(static fn () => $server->task(str_repeat('x', (64 << 20) + 1)));
        $shown[] = $server->taskwait('still', 10) === [5, md5('still')];
        $response->end(json_encode($shown));
    },
], static function (callable $ask) use ($found): void {
    foreach (json_decode($ask('/')) as $line) {
        echo json_encode($line), "\n";
    }
    echo file_get_contents($found), "\n";
    unlink($found);
}, static function ($server): void {
    $GLOBALS['server'] = $server;
});

// More than may wait is refused, and what was accepted is done.
$done = new Swoole\Atomic(0);
$go = new Swoole\Atomic(0);
serve_tasks(['log_file' => '/dev/null'], [
    'task' => static function () use ($done, $go): void {
        while ($go->get() === 0) {
            usleep(1000);
        }
        $done->add();
    },
    'request' => static function ($request, $response) use ($go): void {
        $server = $GLOBALS['server'];
        $accepted = 0;
        $data = str_repeat('x', 32768);
        while (@$server->task($data) !== false && $accepted < 10000) {
            $accepted++;
        }
        $response->end(json_encode([$accepted, $server->getLastError() === SOCKET_EAGAIN]));
        $go->set(1);
    },
], static function (callable $ask) use ($done): void {
    [$accepted, $again] = json_decode($ask('/'));
    var_dump($accepted > 400 && $accepted < 2000, $again, until(static fn () => $done->get() === $accepted));
}, static function ($server): void {
    $GLOBALS['server'] = $server;
});
?>
--EXPECT--
false Swoole\Server::task(): server is not running
"Swoole\\Exception: require onTask callback: with task_worker_num set the event task with on() before start()" 
"Swoole\\Exception: message_queue_key must be a number as ftok() gives it, not \"12 34\"" 
[false,"Swoole\\Server::task(): tasks cannot be given: set task_worker_num and the event task"]
[false,"Swoole\\Server::taskwait(): tasks cannot be given: set task_worker_num and the event task"]
[false,"Swoole\\Server::finish(): only a task worker can finish tasks"]
[false,"Swoole\\Server::task(): the task worker must be below task_worker_num [2]"]
[false,"Swoole\\Server::taskwait(): the task worker must be below task_worker_num [2]"]
[[false,"Swoole\\Server::task(): a task worker cannot give tasks"],[false,"Swoole\\Server::taskwait(): a task worker cannot give tasks"]]
[false,"Swoole\\Server::taskCo(): too many tasks at once: at most 1023"]
true
true
true
true
true
[false,"Swoole\\Server::task(): the data has 67108865 bytes: at most 67108864 can be handed to another process"]
true
[false,"Swoole\\Server::taskwait(): the supervisor cannot wait for tasks: a worker or a user process can"]
bool(true)
bool(true)
bool(true)
