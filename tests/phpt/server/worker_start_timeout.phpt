--TEST--
worker_start_timeout: a worker accepts connections when workerStart has ended, or when it has waited for so long
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../stream_server/peers.inc';

use Swoole\Coroutine;
use Swoole\Http\{Request, Response, Server};

foreach ([[20, 2.3], [0.1, 3600]] as [$timeout, $wait]) {
    $server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
    $server->set(['worker_num' => 1, 'worker_start_timeout' => $timeout, 'max_wait_time' => 1]);
    $state = 'starting';
    $server->on('workerStart', static function () use ($wait, &$state): void {
        Coroutine::sleep($wait);
        $state = 'started';
    });
    $server->on('request', static function (Request $request, Response $response) use (&$state): void {
        $response->end($state);
    });
    serve_peers($server, static function () use ($server): void {
        $peer = connect_to("tcp://127.0.0.1:{$server->port}");
        fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        echo explode("\r\n\r\n", (string) stream_get_contents($peer), 2)[1] ?? '', "\n";
    });
    unset($server);
}
?>
--EXPECT--
started
starting
