<?php

declare(strict_types=1);

/*
 * A server with a control socket. Paths of its requests make its workers wait or work. Settings beginning with "_" are this program's own.
 */

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$settings = json_decode($argv[2] ?? '{}', true);
$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_PROCESS);
$server->set($settings);

function waitHere(): void
{
    Coroutine::sleep(60);
}

$server->on('request', static function (Request $request, Response $response) use ($server): void {
    switch ($request->server['request_uri']) {
        case '/wait':
            waitHere();
            break;
        case '/busy':
            for ($until = microtime(true) + 60; microtime(true) < $until;) {
            }
            break;
        case '/tasks':
            for ($i = 0; $i < 5; $i++) {
                $server->task($i);
            }
            break;
        case '/stats':
            $response->end(json_encode($server->stats()));
            return;
    }
    $response->end((string) $server->worker_id);
});
$server->on('task', static function (): void {
    sleep(1);
});
try {
    $server->start();
} catch (Swoole\Exception $exception) {
    echo $exception->getMessage(), "\n";
    exit(1);
}
