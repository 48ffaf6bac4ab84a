<?php

declare(strict_types=1);

/* Servers in coroutines: coroutine_server.php PORT JSON. HTTP and WebSocket on the port, lines of text on the port `_lines`. */

use Swoole\Coroutine;
use Swoole\Coroutine\Http\Server;
use Swoole\Coroutine\Server\Connection;
use Swoole\Coroutine\System;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\WebSocket\CloseFrame;
use Swoole\WebSocket\Frame;

/** @var array<string, mixed> $settings */
$settings = json_decode($argv[2], true, 16, JSON_THROW_ON_ERROR);
$ended = 0;

Coroutine\run(static function () use ($argv, $settings, &$ended): void {
    $server = new Server('127.0.0.1', (int) $argv[1], isset($settings['ssl_cert_file']));
    $server->set(array_filter($settings, static fn (string $name): bool => $name[0] !== '_', ARRAY_FILTER_USE_KEY));
    $server->handle('/', static function (Request $request, Response $response): void {
        $response->end('root ' . $request->server['request_uri'] . ' ' . $request->server['server_port']);
    });
    $server->handle('/longer', static fn (Request $request, Response $response) => $response->end('longer'));
    $server->handle('/throws', static fn () => throw new Exception('expected'));
    $server->handle('/slow', static function (Request $request, Response $response): void {
        Coroutine::sleep((float) ($request->get['s'] ?? 0.3));
        $response->end('slow');
    });
    $server->handle('/file', static fn (Request $request, Response $response) => $response->sendfile(__FILE__));
    $server->handle('/big', static fn (Request $request, Response $response) => $response->end(str_repeat('0123456789', 500_000)));
    $server->handle('/body', static fn (Request $request, Response $response) => $response->end(md5((string) $request->rawContent())));
    $server->handle('/stats', static function (Request $request, Response $response) use (&$ended): void {
        gc_collect_cycles();
        $response->end(json_encode([Coroutine::stats()['coroutine_num'], memory_get_usage(), $ended]));
    });
    $server->handle('/stop', static function (Request $request, Response $response) use ($server): void {
        $server->shutdown();
        Coroutine::sleep(0.2);
        $response->end('stopped');
    });
    // Echoes messages; says in its place what ended it.
    $server->handle('/ws', static function (Request $request, Response $response) use (&$ended): void {
        $response->header('X-Extra', 'yes');
        if (!$response->upgrade()) {
            return;
        }
        for (;;) {
            $frame = $response->recv((float) ($request->get['timeout'] ?? 0));
            if (!$frame instanceof Frame || $frame instanceof CloseFrame) {
                break;
            }
            if ($frame->data === 'flood') {
                while ($response->push(str_repeat('f', 65536), SWOOLE_WEBSOCKET_OPCODE_BINARY)) {
                }
                break;
            }
            $frame->data === 'bye' ? $response->disconnect(4000, 'as you wish') : $response->push($frame);
        }
        $ended++;
    });
    if (isset($settings['_lines'])) {
        $lines = new Coroutine\Server('127.0.0.1', (int) $settings['_lines']);
        $lines->set(['open_eof_check' => true, 'package_eof' => "\n"]);
        $lines->handle(static function (Connection $connection): void {
            while (is_string($line = $connection->recv()) && $line !== '') {
                $connection->send(strrev(trim($line)) . "\n");
            }
            $connection->close();
        });
        Coroutine::create(static fn () => $lines->start());
    }
    Coroutine::create(static function () use ($server): void {
        System::waitSignal(SIGTERM);
        $server->shutdown();
    });
    $started = $server->start();
    echo $started ? "ended well\n" : "ended with $server->errCode $server->errMsg\n";
});
gc_collect_cycles();  // handlers that use the server, which has them: PHP leaves such circles at its end
