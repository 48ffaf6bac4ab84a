<?php

declare(strict_types=1);

/* "/events" sends an event each second until the client goes; "/file" reads a file anew; anything else is a short text. usage: server.php PORT WORKERS FILE */

use Stampede\Http\EventStream;
use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;

[, $port, $workers, $file] = $argv;
$server = new Swoole\Http\Server('127.0.0.1', (int) $port, SWOOLE_BASE);
$server->set(['worker_num' => (int) $workers, 'hook_flags' => SWOOLE_HOOK_ALL, 'backlog' => 8192, 'max_connection' => 60_000, 'max_coroutine' => 60_000, 'log_level' => SWOOLE_LOG_WARNING]);
$server->on('request', static function (Request $request, Response $response) use ($file): void {
    if ($request->server['request_uri'] === '/events') {
        $events = new EventStream($response);
        for ($number = 0; $events->event((string) $number); $number++) {
            Coroutine::sleep(1);
        }
        return;
    }
    $response->header('Content-Type', 'text/plain');
    $response->end($request->server['request_uri'] === '/file' ? (string) file_get_contents($file) : "Hello World\n");
});
$server->start();
