<?php

/* The server of bench/memory: one worker, a path for each way that memory goes. usage: server.php PORT TLS-PORT FOLDER */

[, $port, $tls_port, $folder] = $argv;
$server = new Swoole\WebSocket\Server('127.0.0.1', (int) $port, SWOOLE_BASE);
$server->set([
    'worker_num' => 1,
    'log_level' => SWOOLE_LOG_WARNING,
    'package_max_length' => 8 << 20,
    'upload_tmp_dir' => $folder,
    'open_http2_protocol' => true,
    'ssl_cert_file' => "$folder/server.pem",
    'ssl_key_file' => "$folder/server.key",
    'enable_static_handler' => true,
    'document_root' => $folder,
    'http_compression' => true,
]);
$server->listen('127.0.0.1', (int) $tls_port, SWOOLE_SOCK_TCP | SWOOLE_SSL);
$large = str_repeat('0123456789abcdef', 6400); // 100 KiB
$rows = json_encode(array_fill(0, 600, ['id' => 12345, 'name' => 'somebody', 'text' => 'some words that come again']));
$server->on('message', static fn ($server, $frame) => $server->push($frame->fd, $frame->data));
$server->on('request', static function ($request, $response) use ($large, $rows) {
    switch ($request->server['path_info']) {
        case '/large':
            $response->header('Content-Type', 'application/octet-stream');
            $response->end($large);
            break;
        case '/pieces':
            for ($i = 0; $i < 10; $i++) {
                $response->write(substr($large, 0, 10240));
            }
            $response->end();
            break;
        case '/rows':
            $response->header('Content-Type', 'application/json');
            $response->end($rows);
            break;
        case '/coroutines':
            $all = [];
            for ($i = 0; $i < 10; $i++) {
                $all[] = go(static function (): void {
                    Swoole\Coroutine::sleep(0.001);
                });
            }
            Swoole\Coroutine::join($all);
            $response->end('joined');
            break;
        default: // the body is looked at, as applications do
            $response->end((string) strlen((string) $request->getContent()));
    }
});
$server->start();
