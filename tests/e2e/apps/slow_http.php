<?php

declare(strict_types=1);

/* A server that answers late, or with what it was sent. */

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$server = new Server('127.0.0.1', (int) $argv[1]);
$server->set(json_decode($argv[2] ?? '{}', true) + ['worker_num' => 1]);
$server->on('request', static function (Request $request, Response $response): void {
    switch ($request->server['path_info']) {
        case '/sleep':
            Coroutine::sleep(isset($request->server['query_string']) ? 2.0 : 0.2);
            $response->end('slept');
            return;
        case '/echo':
            $response->end((string) $request->rawContent());
            return;
        default:
            $response->end('hello');
    }
});
$server->start();
