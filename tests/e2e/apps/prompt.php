<?php

declare(strict_types=1);

/*
 * Handlers that send something and then keep the worker busy until a file is there.
 * usage: php -d extension=... prompt.php PORT SETTINGS-AS-JSON
 */

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$settings = json_decode($argv[2], true);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING] + $settings);

/** Nothing else runs in this worker meanwhile. */
function keep_busy(string $file): void
{
    for ($until = microtime(true) + 10; !file_exists($file) && microtime(true) < $until; usleep(1000)) {
        clearstatcache();
    }
}

$server->on('request', static function (Request $request, Response $response): void {
    $file = $request->get['file'];
    switch ($request->server['request_uri']) {
        case '/end':
            $response->end('sent');
            keep_busy($file);
            break;
        case '/deferred':
            defer(static fn () => keep_busy($file));
            $response->end('sent');
            break;
        case '/called':
            (static fn (): bool => $response->end('sent'))();
            keep_busy($file);
            break;
        case '/write':
            $response->write('sent');
            keep_busy($file);
            break;
        case '/hints':
            $response->earlyHints(['</sent>; rel=preload']);
            keep_busy($file);
            break;
        case '/file':
            $response->sendfile(__FILE__);
            keep_busy($file);
            break;
        case '/redirect':
            $response->redirect('/sent');
            keep_busy($file);
            break;
    }
});
$server->on('message', static function (Server $server, Frame $frame): void {
    $server->push($frame->fd, 'sent');
    keep_busy($frame->data);
});
$server->start();
