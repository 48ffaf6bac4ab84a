<?php

declare(strict_types=1);

/*
 * The server of the curves. usage: server.php PORT WORKERS
 * "/" is a short text, "/N" a body of N bytes, "/work" computes for about a tenth of a millisecond.
 */

use Swoole\Http\Request;
use Swoole\Http\Response;

$server = new Swoole\Http\Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$server->set(['worker_num' => (int) $argv[2], 'backlog' => 8192, 'max_connection' => 60_000, 'log_level' => SWOOLE_LOG_WARNING]);
$bodies = [];
$server->on('request', static function (Request $request, Response $response) use (&$bodies): void {
    $path = substr($request->server['request_uri'], 1);
    $response->header('Content-Type', 'text/plain');
    if ($path === 'work') {
        $hash = 'stampede';
        for ($i = 0; $i < 200; $i++) {
            $hash = md5($hash);
        }
        $response->end("$hash\n");
        return;
    }
    $size = (int) $path;
    $response->end($size > 0 ? $bodies[$size] ??= str_repeat('x', $size) : "Hello World\n");
});
$server->start();
