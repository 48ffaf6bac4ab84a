<?php

/* The server of bench/hello and bench/late. usage: server.php PORT base|process [WORKERS] */

$server = new Swoole\Http\Server('127.0.0.1', (int) $argv[1], $argv[2] === 'base' ? SWOOLE_BASE : SWOOLE_PROCESS);
$server->set(['worker_num' => (int) ($argv[3] ?? 1), 'log_level' => SWOOLE_LOG_WARNING, 'backlog' => 4096, 'max_connection' => 60000]);
$server->on('request', static function ($request, $response) {
    $response->header('Content-Type', 'text/plain');
    $response->end("Hello World\n");
});
$server->start();
