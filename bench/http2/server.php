<?php

/* The server that bench/http2 and bench/tls measure. usage: server.php PORT HTTP2(0|1) [FOLDER of server.pem and server.key] [FOLDER of files] */

$tls = ($argv[3] ?? '') !== '';
$server = new Swoole\Http\Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE, SWOOLE_SOCK_TCP | ($tls ? SWOOLE_SSL : 0));
$settings = ['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING, 'backlog' => 4096, 'max_connection' => 60000, 'open_http2_protocol' => $argv[2] === '1'];
if ($tls) {
    $settings += ['ssl_cert_file' => "$argv[3]/server.pem", 'ssl_key_file' => "$argv[3]/server.key"];
}
if (isset($argv[4])) {
    $settings += ['enable_static_handler' => true, 'document_root' => $argv[4]];
}
$server->set($settings);
$server->on('request', static function ($request, $response) {
    $response->header('Content-Type', 'text/plain');
    $response->end("Hello World\n");
});
$server->start();
