<?php

/* The server of bench/idle. usage: server.php PORT */

$server = new Swoole\Http\Server('0.0.0.0', (int) $argv[1], SWOOLE_BASE);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING, 'max_connection' => 100000, 'http_idle_timeout' => 600, 'backlog' => 4096]);
$server->on('request', static function ($request, $response) {
    $response->end("Hello World\n");
});
$server->start();
