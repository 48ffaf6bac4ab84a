<?php

declare(strict_types=1);

/* The response of the applications beside this file by a server alone. usage: server.php PORT */

$server = new Swoole\Http\Server('127.0.0.1', (int) $argv[1], SWOOLE_PROCESS);
$server->set(['worker_num' => 1, 'http_parse_files' => true, 'hook_flags' => SWOOLE_HOOK_ALL, 'log_level' => SWOOLE_LOG_WARNING]);
$server->on('request', static function (Swoole\Http\Request $request, Swoole\Http\Response $response): void {
    $response->header('Content-Type', 'text/plain; charset=utf-8');
    $response->end("Hello from a script\n");
});
$server->start();
