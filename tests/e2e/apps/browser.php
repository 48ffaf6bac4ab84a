<?php

declare(strict_types=1);

/* A page and what it uses: an upload, server-sent events, WebSockets. "_result": the file that its report goes to. usage: browser.php PORT SETTINGS */

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

$settings = json_decode($argv[2] ?? '{}', true);
$result = $settings['_result'];
unset($settings['_result']);
$tls = isset($settings['ssl_cert_file']);
$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE, SWOOLE_SOCK_TCP | ($tls ? SWOOLE_SSL : 0));
$server->set($settings + ['worker_num' => 1, 'package_max_length' => 8 << 20, 'upload_max_filesize' => 8 << 20, 'websocket_compression' => true, 'http_compression' => true]);
$server->on('request', static function (Request $request, Response $response) use ($result): void {
    switch ($request->server['path_info']) {
        case '/':
            $response->end((string) file_get_contents(__DIR__ . '/browser.html'));
            return;
        case '/upload':
            $file = $request->files['file'];
            $response->header('Content-Type', 'application/json');
            $response->end(json_encode(['name' => $file['name'], 'type' => $file['type'], 'size' => $file['size'], 'sum' => array_sum(count_chars((string) file_get_contents($file['tmp_name']), 1)),
                'first' => bin2hex((string) file_get_contents($file['tmp_name'], length: 4)), 'field' => $request->post['field']]));
            return;
        case '/events':
            $response->header('Content-Type', 'text/event-stream');
            $response->header('Cache-Control', 'no-store');
            for ($i = (int) ($request->header['last-event-id'] ?? 0) + 1; $i <= 5; $i++) {
                $response->write("id: $i\nevent: tick\ndata: number $i\n\n");
                Coroutine::sleep(0.005);
                if ($i === 3 && !isset($request->header['last-event-id'])) {
                    break;  // the browser comes back for the rest
                }
            }
            $response->end($i >= 5 ? "event: over\ndata:\n\n" : "retry: 10\n\n");
            return;
        case '/result':
            file_put_contents("$result.new", (string) $request->getContent());
            rename("$result.new", $result);
            $response->end();
            return;
        default:
            $response->status(404);
            $response->end();
    }
});
$server->on('open', static function (Server $server, Request $request): void {
    $server->push($request->fd, json_encode(['stream' => $request->streamId, 'protocol' => $request->server['server_protocol'], 'origin' => isset($request->header['origin'])]));
});
$server->on('message', static function (Server $server, Frame $frame): void {
    if ($frame->data === 'bye') {
        $server->disconnect($frame->fd, 4001, 'as you wish');
    } elseif ($frame->opcode === WEBSOCKET_OPCODE_BINARY) {
        $server->push($frame->fd, strrev($frame->data), WEBSOCKET_OPCODE_BINARY, SWOOLE_WEBSOCKET_FLAG_FIN | SWOOLE_WEBSOCKET_FLAG_COMPRESS);
    } else {
        $server->push($frame->fd, $frame->data);
    }
});
$server->start();
