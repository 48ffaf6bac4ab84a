--TEST--
enable_coroutine off: no callback runs in a coroutine; on: those of the supervisor do
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\WebSocket\Server;

function run(bool $in_coroutines): void
{
    $file = tempnam(sys_get_temp_dir(), 'seen');
    $server = new Server('127.0.0.1', 0);
    $server->set(['worker_num' => 1, 'enable_coroutine' => $in_coroutines, 'log_level' => SWOOLE_LOG_WARNING]);
    $note = static function (string $what) use ($file): void {
        file_put_contents($file, $what . (Coroutine::getCid() > 0 ? ' in' : ' out') . "\n", FILE_APPEND);
    };
    foreach (['start', 'beforeShutdown', 'connect', 'open', 'close', 'request', 'workerStop'] as $event) {
        $server->on($event, static fn () => $note($event));
    }
    $server->on('request', static function ($request, $response) use ($note): void {
        $note('request');
        $response->end();
    });
    $server->on('workerStart', static function () use ($note): void {
        $note('workerStart');
        Swoole\Timer::after(1, static fn () => $note('timer'));
        Swoole\Event::defer(static fn () => $note('defer'));
        Coroutine::create(static fn () => $note('create'));
    });
    $server->on('message', static function (Server $server, $frame) use ($note): void {
        $note('message');
        $server->push($frame->fd, 'seen');
    });
    $port = $server->port;
    $server->on('managerStart', static function (Server $server) use ($port, $file): void {
        if (pcntl_fork() !== 0) {
            return;
        }
        Swoole\Runtime::enableCoroutine(0);
        $plain = stream_socket_client("tcp://127.0.0.1:$port");
        fwrite($plain, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        stream_get_contents($plain);
        $peer = stream_socket_client("tcp://127.0.0.1:$port");
        fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\n\r\n");
        while (rtrim((string) fgets($peer)) !== '');
        fwrite($peer, "\x81\x80aaaa");
        fread($peer, 6);
        fclose($peer);
        // The two connections may have come and gone before the supervisor's start event and the worker's timer.
        $seen = static fn (string $event): int => substr_count((string) file_get_contents($file), "$event ");
        for ($until = hrtime(true) + 5e9; hrtime(true) < $until && ($seen('close') < 2 || $seen('timer') < 1 || $seen('start') < 1);) {
            usleep(1000);
        }
        posix_kill($server->master_pid, SIGTERM);
        posix_kill(getmypid(), SIGKILL);
    });
    $server->start();
    $lines = array_unique(file($file, FILE_IGNORE_NEW_LINES));
    sort($lines);
    echo json_encode($in_coroutines), ': ', implode(', ', $lines), "\n";
    unlink($file);
}

run(true);
run(false);

swoole_async_set(['enable_coroutine' => false]);
Swoole\Timer::after(1, static fn () => print('timer ' . Coroutine::getCid() . "\n"));
Swoole\Event::wait();
?>
--EXPECT--
true: beforeShutdown in, close in, connect in, create in, defer in, message in, open in, request in, start in, timer in, workerStart in, workerStop in
false: beforeShutdown out, close out, connect out, create in, defer out, message out, open out, request out, start out, timer out, workerStart out, workerStop out
timer -1
