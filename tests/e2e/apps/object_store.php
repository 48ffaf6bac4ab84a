<?php

declare(strict_types=1);

/* What storage clients and HTTP clients speak to: keeps what is PUT, gives it back, after a fifth of a second. */

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$server = new Server('127.0.0.1', (int) $argv[1]);
$server->set(['worker_num' => 1] + json_decode($argv[2] ?? '{}', true));
$objects = [];
$server->on('request', static function (Request $request, Response $response) use (&$objects): void {
    $path = $request->server['path_info'];
    Coroutine::sleep(0.2);
    if ($request->server['request_method'] === 'PUT') {
        $objects[$path] = (string) $request->rawContent();
        $response->header('ETag', '"' . md5($objects[$path]) . '"');
        $response->end();
    } elseif ($path === '/echo') {
        $response->header('Content-Type', 'application/json');
        $response->end(json_encode([$request->server['request_method'], $request->get, $request->rawContent()]));
    } elseif (isset($objects[$path])) {
        $response->end($objects[$path]);
    } else {
        $response->status(404);
        $response->header('Content-Type', 'application/xml');
        $response->end('<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>There is none.</Message></Error>');
    }
});
$server->start();
