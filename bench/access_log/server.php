<?php

/* The server that bench/access_log measures. usage: server.php PORT LOG off|combined|json */

$server = new Swoole\Http\Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING, 'backlog' => 4096, 'max_connection' => 60000, 'access_log' => $argv[2], 'access_log_format' => $argv[3]]);
$server->on('request', static function ($request, $response) {
    $response->header('Content-Type', 'text/plain');
    $response->end("Hello World\n");
});
$server->start();
