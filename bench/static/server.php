<?php

// usage: server.php PORT FOLDER: serves the folder's files, one worker.

declare(strict_types=1);

$server = new Swoole\Http\Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$server->set(['worker_num' => 1, 'enable_static_handler' => true, 'document_root' => $argv[2], 'log_level' => SWOOLE_LOG_WARNING]);
$server->on('request', function (Swoole\Http\Request $request, Swoole\Http\Response $response): void {
    $response->header('Content-Type', 'application/json');
    $response->end(str_repeat('{"id":12345,"name":"some name","tags":["a","b"],"price":12.5},', 165));
});
$server->start();
