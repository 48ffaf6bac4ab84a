<?php

declare(strict_types=1);

/*
 * Says what came of a form and its files.
 * usage: php -d extension=... uploads.php PORT SETTINGS-AS-JSON
 */

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$server = new Server('127.0.0.1', (int) $argv[1]);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING] + json_decode($argv[2], true));
$server->on('request', static function (Request $request, Response $response): void {
    switch ($request->server['request_uri']) {
        case '/throw':
            isset($request->files['f']) || throw new LogicException('no file came');
            throw new RuntimeException('as it was asked to');
        case '/hold':
            $held = $request->files;
            Coroutine::sleep(60);
            break;
        case '/move':
            $target = $request->get['to'];
            $response->end(var_export(move_uploaded_file($request->files['f']['tmp_name'], $target), true));
            return;
        case '/ignore':
            $response->end('ok');
            return;
    }
    $files = array_map(static fn (array $file): array => $file + [
        'hash' => $file['tmp_name'] === '' ? null : md5_file($file['tmp_name']),
        'mode' => $file['tmp_name'] === '' ? null : decoct(fileperms($file['tmp_name']) & 0777),
    ], $request->files ?? []);
    $response->end(json_encode(['post' => $request->post, 'files' => $files, 'raw' => strlen($request->getContent())]));
});
$server->start();
