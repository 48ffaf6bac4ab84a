--TEST--
Event::exit() in workerExit: the request under way is answered, a timer does not hold the worker up
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Event;
use Swoole\Http\Server;
use Swoole\Timer;

$out = tempnam(sys_get_temp_dir(), 'out');
$state = new Swoole\Atomic(0);  // 1: the handler runs, 2: the worker is on its way out
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'max_wait_time' => 30, 'log_level' => SWOOLE_LOG_WARNING]);
$server->on('workerStart', static fn () => Timer::tick(50, static fn () => 1));
$server->on('workerExit', static function () use ($state): void {
    Event::exit();
    $state->set(2);
});
$server->on('request', static function ($request, $response) use ($state): void {
    $state->set(1);
    while ($state->get() === 1) {
        Coroutine::sleep(0.001);
    }
    Coroutine::sleep(0.01);
    $response->end('answered');
});
$port = $server->port;
$server->on('managerStart', static function (Server $server) use ($port, $out, $state): void {
    if (pcntl_fork() !== 0) {
        return;
    }
    $peer = stream_socket_client("tcp://127.0.0.1:$port");
    fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    while ($state->get() !== 1) {
        usleep(1000);
    }
    posix_kill($server->master_pid, SIGUSR1);
    $head = (string) stream_get_contents($peer);
    file_put_contents($out, substr($head, -8));
    posix_kill($server->master_pid, SIGTERM);
    posix_kill(getmypid(), SIGKILL);
});
$start = hrtime(true);
$server->start();
var_dump(file_get_contents($out), hrtime(true) - $start < 25e9);
unlink($out);
?>
--EXPECT--
string(8) "answered"
bool(true)
