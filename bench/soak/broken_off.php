<?php

/* The server of bench/soak/aborts: responses that are not over when their client goes. usage: broken_off.php PORT */

use Swoole\Coroutine;

$server = new Swoole\Http\Server('127.0.0.1', (int) $argv[1], SWOOLE_PROCESS);
$server->set(['worker_num' => 1, 'open_http2_protocol' => true, 'log_level' => SWOOLE_LOG_ERROR]);
$file = tempnam(sys_get_temp_dir(), 'stampede-soak-');
file_put_contents($file, str_repeat('f', 1 << 20));
$server->on('request', static function ($request, $response) use ($file): void {
    switch ($request->server['request_uri']) {
        case '/large':
            $response->end(str_repeat('x', 1 << 20));
            break;
        case '/pieces':
            for ($i = 0; $i < 100 && $response->write(str_repeat('y', 16384)); $i++) {
            }
            break;
        case '/file':
            $response->sendfile($file);
            break;
        case '/waits':
            $response->write('first');
            Coroutine::sleep(0.02);
            $response->end('second');
            break;
        case '/state':
            $response->end(json_encode(['coroutines' => Coroutine::stats()['coroutine_num']]));
            break;
        default:
            $response->end('well');
    }
});
$server->on('shutdown', static function () use ($file): void {
    unlink($file);
});
$server->start();
