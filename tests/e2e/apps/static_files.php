<?php

declare(strict_types=1);

/* A server with files below a folder; other requests get the application's answer. */

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$server->set(json_decode($argv[2] ?? '{}', true) + ['worker_num' => 1, 'max_wait_time' => 5]);
$server->on('request', static function (Request $request, Response $response): void {
    match ($request->server['path_info']) {
        '/text' => $response->end(str_repeat("A line of text that says little.\n", 1000)),
        '/short' => $response->end('short'),
        '/tagged' => (static function () use ($response): void {
            $response->header('ETag', '"tag"');
            $response->header('Vary', 'Cookie');
            $response->header('Content-Length', '5');
            $response->end(str_repeat('tagged ', 100));
        })(),
        '/coded' => (static function () use ($response): void {
            $response->header('Content-Encoding', 'gzip');
            $response->end((string) gzencode(str_repeat('x', 1000)));
        })(),
        '/image' => (static function () use ($response): void {
            $response->header('Content-Type', 'image/png');
            $response->end(str_repeat('x', 1000));
        })(),
        '/untransformed' => (static function () use ($response): void {
            $response->header('Cache-Control', 'private, no-transform');
            $response->end(str_repeat('x', 1000));
        })(),
        '/nothing' => (static function () use ($response): void {
            $response->status(204);
            $response->end();
        })(),
        '/pieces' => (static function () use ($response): void {
            for ($i = 0; $i < 5; $i++) {
                $response->write("piece $i\n");
                Swoole\Coroutine::sleep(0.02);
            }
            $response->end("end\n");
        })(),
        '/trailers' => (static function () use ($response): void {
            $response->trailer('X-Sum', '42');
            $response->end(str_repeat('trailed ', 100));
        })(),
        default => $response->end('application'),
    };
});
$server->start();
