--TEST--
A fatal error in the supervisor: requests under way are finished, no process is made of the broken one, the status is 255
--EXTENSIONS--
pcntl
posix
--ENV--
ASAN_OPTIONS=detect_leaks=0
--FILE--
<?php
// The engine frees no objects after a fatal error, so that leaks cannot be looked for here.
use Swoole\Http\{Request, Response, Server};
use Swoole\{Atomic, Coroutine, Timer};

$log = tempnam(sys_get_temp_dir(), 'log');

/** The event fails at its first call after a request has begun; that request ends when it has failed. */
function serve_and_fail(string $event, string $log): void
{
    [$begun, $failing, $task_worker] = [new Atomic(), new Atomic(), new Atomic()];
    $fail = static function () use ($begun, $failing): void {
        if ($begun->get() > 0) {
            $failing->set(1);
            trigger_error('a fatal error', E_USER_ERROR);
        }
    };
    $server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
    $server->set(['worker_num' => 2, 'task_worker_num' => 1, 'log_file' => $log, 'max_wait_time' => 10]);
    $server->on('task', static fn () => null);
    $server->on('workerStart', static function (Server $server) use ($task_worker): void {
        if ($server->taskworker) {
            $task_worker->set(getmypid());
        }
    });
    $server->on('request', static function (Request $request, Response $response) use ($begun, $failing, $event): void {
        $begun->set(1);
        // The event afterReload comes when the workers of before have ended.
        while ($failing->get() === 0 && $event !== 'afterReload') {
            Coroutine::sleep(0.002);
        }
        $response->end('finished');
    });
    if (in_array($event, ['start', 'managerStart'])) {
        $begun->set(1);
    }
    $server->on($event === 'timer' ? 'start' : $event, $event === 'timer' ? static fn () => Timer::tick(2, $fail) : $fail);

    $supervisor = pcntl_fork();
    if ($supervisor === 0) {
        ini_set('display_errors', '0');
        ini_set('log_errors', '0');
        $server->start();
        echo "the script goes on\n";
        exit(0);
    }
    $body = '-';
    if ($begun->get() === 0) {
        $peer = stream_socket_client("tcp://127.0.0.1:$server->port");
        stream_set_timeout($peer, 20);
        fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        for ($until = hrtime(true) + 20e9; hrtime(true) < $until && ($begun->get() === 0 || $task_worker->get() === 0);) {
            usleep(1000);
        }
        match ($event) {
            'workerError' => posix_kill($task_worker->get(), SIGKILL),
            'beforeReload', 'afterReload' => posix_kill($supervisor, SIGUSR1),
            'beforeShutdown', 'shutdown' => posix_kill($supervisor, SIGTERM),
            'timer' => null,
        };
        $body = explode("\r\n\r\n", (string) stream_get_contents($peer), 2)[1] ?? 'none';
    }
    pcntl_waitpid($supervisor, $status);
    echo "$event: $body, status ", pcntl_wexitstatus($status), ', signal ', pcntl_wtermsig($status), "\n";
}

foreach (['start', 'managerStart', 'workerError', 'beforeReload', 'afterReload', 'beforeShutdown', 'timer'] as $event) {
    serve_and_fail($event, $log);
}
$lines = file_get_contents($log);
unlink($log);
echo substr_count($lines, 'a fatal error in the supervisor: the server finishes its requests and ends'), " times in the log\n";
echo substr_count($lines, 'signal 11') + substr_count($lines, 'the supervisor is gone'), " other ends\n";
?>
--EXPECT--
start: -, status 255, signal 0
managerStart: -, status 255, signal 0
workerError: finished, status 255, signal 0
beforeReload: finished, status 255, signal 0
afterReload: finished, status 255, signal 0
beforeShutdown: finished, status 255, signal 0
timer: finished, status 255, signal 0
7 times in the log
0 other ends
