<?php

/* The server that bench/uploads measures. usage: server.php PORT FOLDER */

declare(strict_types=1);

$server = new Swoole\Http\Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING, 'upload_tmp_dir' => $argv[2], 'upload_max_filesize' => 64 << 20]);
$server->on('request', static function (Swoole\Http\Request $request, Swoole\Http\Response $response): void {
    $whole = ($request->files['file']['size'] ?? 0) === 20 << 20;
    $response->status($whole ? 200 : 400);
    $response->end("Hello World\n");
});
$server->start();
