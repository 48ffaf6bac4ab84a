<?php

declare(strict_types=1);

/* A server with TLS on its port; "_plain": one more port without. */

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$settings = json_decode($argv[2] ?? '{}', true);
$plain = $settings['_plain'] ?? 0;
unset($settings['_plain']);
$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE, SWOOLE_SOCK_TCP | SWOOLE_SSL);
$server->set($settings + ['worker_num' => 1, 'max_wait_time' => 5]);
if ($plain > 0) {
    $server->listen('127.0.0.1', $plain, SWOOLE_SOCK_TCP);
}
$server->on('request', static function (Request $request, Response $response): void {
    match ($request->server['path_info']) {
        '/big' => $response->end(str_repeat('0123456789', 300_000)),
        '/file' => $response->sendfile($request->get['name'] ?? __FILE__),
        '/pieces' => (static function () use ($response): void {
            for ($i = 0; $i < 3000; $i++) {
                $response->write(str_repeat("$i,", 1 + $i % 997));
            }
            $response->end();
        })(),
        '/length' => $response->end((string) strlen((string) $request->getContent())),
        '/together' => (static function () use ($response): void {
            $group = new Swoole\Coroutine\WaitGroup();
            foreach (['a', 'b', 'c'] as $letter) {
                $group->add();
                go(static function () use ($response, $group, $letter): void {
                    for ($i = 0; $i < 20; $i++) {
                        $response->write(str_repeat($letter, 150_000));
                    }
                    $group->done();
                });
            }
            $group->wait();
            $response->end();
        })(),
        '/slow' => (static function () use ($response): void {
            Swoole\Coroutine::sleep(0.5);
            $response->end('slow');
        })(),
        default => $response->end('secret of ' . getmypid()),
    };
});
try {
    $server->start();
} catch (Swoole\Exception $error) {
    echo 'refused: ', $error->getMessage(), "\n";
}
