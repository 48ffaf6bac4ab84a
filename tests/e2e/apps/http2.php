<?php

/* An HTTP server that speaks HTTP/2 too. usage: http2.php PORT SETTINGS (tls: a port with TLS) */

declare(strict_types=1);

use Swoole\Http\Request;
use Swoole\Http\Response;

/** @var array<string, mixed> $settings */
$settings = json_decode($argv[2], true, 512, JSON_THROW_ON_ERROR);
$tls = isset($settings['ssl_cert_file']);
$server = new Swoole\Http\Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE, SWOOLE_SOCK_TCP | ($tls ? SWOOLE_SSL : 0));
$server->set($settings + ['worker_num' => 1, 'open_http2_protocol' => true, 'log_level' => SWOOLE_LOG_WARNING]);
$gates = [];
$cut = 0;

$server->on('request', static function (Request $request, Response $response) use (&$gates, &$cut, $server): void {
    $path = $request->server['request_uri'];
    switch ($path) {
        case '/seen':
            $response->header('Content-Type', 'application/json');
            $response->end(json_encode([
                'protocol' => $request->server['server_protocol'], 'stream' => $request->streamId, 'header' => $request->header, 'get' => $request->get,
                'cookie' => $request->cookie, 'post' => $request->post, 'length' => strlen((string) $request->getContent()),
                'method' => $request->server['request_method'], 'worker' => getmypid(),
            ], JSON_THROW_ON_ERROR));
            return;
        case '/length':
            $response->end((string) strlen((string) $request->getContent()));
            return;
        case '/big':
            $response->end(str_repeat('0123456789abcdef', (int) ($request->get['kib'] ?? 1024) * 64));
            return;
        case '/file':
            $response->sendfile((string) $request->get['name']);
            return;
        case '/empty':
            $response->status((int) ($request->get['status'] ?? 200));
            $response->end();
            return;
        case '/bodiless':  // a body for a status that has none
            $response->status((int) $request->get['status']);
            match ($request->get['way']) {
                'end' => $response->end('body'),
                'long' => $response->end(str_repeat('body', 65536)),
                'pieces' => $response->write('body') && $response->write('body') && $response->end(),
                'promise' => $response->header('Content-Length', '8') && $response->write('body') && $response->end('body'),
                'trailer' => $response->write('body') && $response->trailer('X-Sum', '4') && $response->end(),
                'file' => $response->sendfile(__FILE__),
            };
            return;
        case '/fail':
            throw new RuntimeException('on purpose');
        case '/half':
            $response->header('Content-Length', '100');
            $response->write('half');
            $response->end();
            return;
        case '/over':  // more than it promises, in small and in large pieces
            $response->header('Content-Length', '20');
            foreach (['twelve bytes', str_repeat('+', (int) $request->get['size']), str_repeat('-', (int) $request->get['size'])] as $piece) {
                $response->write($piece);
            }
            $response->end('!');
            return;
        case '/fields':
            $response->header('Connection', 'close');
            $response->header('Keep-Alive', 'timeout=5');
            $response->header('Upgrade', 'h3');
            $response->header('X-Mixed', ' spaced ');
            $response->header('Set-Cookie', ['a=1', 'b=2']);
            $response->end('fields');
            return;
        case '/trailers':
            $response->write('body ');
            $response->write('in pieces');
            $response->trailer('X-Sum', '42');
            $response->end();
            return;
        case '/whole':  // trailers of a body that is there at once
            $response->trailer('X-Sum', '42');
            $response->end($request->get['body'] ?? '');
            return;
        case '/announce':  // to the connection
            $said = match ($request->get['what']) {
                'ping' => $response->ping($request->get['text'] ?? ''),
                'goaway' => $response->goaway((int) $request->get['error'], $request->get['text']),
                'goaway alone' => $response->goaway(),
            };
            $response->end(json_encode($said, JSON_THROW_ON_ERROR));
            return;
        case '/stream':  // as long as the peer lets it
            $written = 0;
            while ($written < 64 << 20 && $response->write(str_repeat('s', 65536))) {
                $written += 65536;
            }
            $cut += $written < 64 << 20 ? 1 : 0;
            $response->end();
            return;
        case '/state':
            $response->end(json_encode(['cut' => $cut, 'waiting' => count($gates), 'memory' => memory_get_usage(), 'stats' => $server->stats()], JSON_THROW_ON_ERROR));
            return;
        case '/wait':  // until somebody asks for /open
            $gate = new Swoole\Coroutine\Channel(1);
            $gates[] = $gate;
            $gate->pop(15.0);
            $response->end('waited');
            return;
        case '/open':
            foreach ($gates as $gate) {
                $gate->push(true);
            }
            $response->end((string) count($gates));
            $gates = [];
            return;
    }
    $response->end("hello\n");
});
$server->start();
