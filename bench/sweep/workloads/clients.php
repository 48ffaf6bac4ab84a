<?php

declare(strict_types=1);

namespace Stampede\Bench\Sweep;

use Swoole\Coroutine;
use Swoole\Coroutine\Client;
use Swoole\Coroutine\Http\Client as HttpClient;
use Swoole\Coroutine\Http2\Client as Http2Client;
use Swoole\Coroutine\Socket;

/** In a coroutine, beside a server of HTTP in the same process. */
$beside_http = static fn (callable $work, array $settings = []): callable => static fn () => Coroutine\run(static function () use ($work, $settings): void {
    $server = new Coroutine\Http\Server('127.0.0.1', 0);
    $server->set($settings + ['package_max_length' => 16 << 20]);
    $large = str_repeat('x', 1 << 20);
    $server->handle('/', static fn ($request, $response) => $response->end($request->server['request_uri'] === '/large' ? $large : 'hello ' . strlen($request->getContent())));
    Coroutine::create($server->start(...));
    $work($server->port);
    $server->shutdown();
});
/** Beside what answers each connection. */
$beside = static fn (callable $peer, callable $work): callable => static fn () => Coroutine\run(static function () use ($peer, $work): void {
    $server = new Socket(AF_INET, SOCK_STREAM, 0);
    $server->bind('127.0.0.1', 0);
    $server->listen(128);
    Coroutine::create(static function () use ($server, $peer): void {
        while ($connection = $server->accept(-1)) {
            Coroutine::create($peer, $connection);
        }
    });
    $work($server->getsockname()['port']);
    $server->close();
});
$echo = static function (Socket $socket): void {
    while (($data = $socket->recv(65536, -1)) !== '' && $data !== false) {
        $socket->sendAll($data);
    }
};
$http2 = static function (int $port, int $count, string $body = '', string $path = '/'): void {
    $client = new Http2Client('127.0.0.1', $port);
    $client->connect();
    for ($i = $count; $i > 0; $i -= 10) {
        for ($k = 0; $k < 10; $k++) {
            $request = new \Swoole\Http2\Request();
            $request->method = $body === '' ? 'GET' : 'POST';
            $request->path = $path;
            $request->data = $body;
            $client->send($request);
        }
        for ($k = 0; $k < 10; $k++) {
            if ($client->recv(10)->statusCode !== 200) {
                throw new \RuntimeException('A request failed.');
            }
        }
    }
    $client->close();
};

return [
    'http_kept' => $beside_http(static function (int $port): void {
        $client = new HttpClient('127.0.0.1', $port);
        for ($i = times(10000); $i > 0; $i--) {
            $client->get('/');
        }
    }),
    'http_new' => $beside_http(static function (int $port): void {
        for ($i = times(3000); $i > 0; $i--) {
            (new HttpClient('127.0.0.1', $port))->get('/');
        }
    }),
    'http_1m' => $beside_http(static function (int $port): void {
        $client = new HttpClient('127.0.0.1', $port);
        for ($i = times(500); $i > 0; $i--) {
            $client->get('/large');
        }
    }),
    'http_post' => $beside_http(static function (int $port): void {
        $client = new HttpClient('127.0.0.1', $port);
        $client->setHeaders(['Content-Type' => 'application/json', 'X-Token' => 'abc']);
        for ($i = times(8000); $i > 0; $i--) {
            $client->post('/', '{"some":"json"}');
        }
    }),
    'http2_get' => $beside_http(static fn (int $port) => $http2($port, times(10000)), ['open_http2_protocol' => true]),
    'http2_post' => $beside_http(static fn (int $port) => $http2($port, times(3000), str_repeat('x', 20000)), ['open_http2_protocol' => true]),
    'http2_1m' => $beside_http(static fn (int $port) => $http2($port, times(200), '', '/large'), ['open_http2_protocol' => true]),
    'websocket' => static fn () => Coroutine\run(static function (): void {
        $server = new Coroutine\Http\Server('127.0.0.1', 0);
        $server->handle('/', static function ($request, $response): void {
            $response->upgrade();
            while (($frame = $response->recv()) instanceof \Swoole\WebSocket\Frame) {
                $response->push($frame->data);
            }
        });
        Coroutine::create($server->start(...));
        $client = new HttpClient('127.0.0.1', $server->port);
        $client->upgrade('/');
        for ($i = times(15000); $i > 0; $i--) {
            $client->push('a text');
            $client->recv(10);
        }
        $client->close();
        $server->shutdown();
    }),
    'tcp' => $beside($echo, static function (int $port): void {
        $client = new Client(SWOOLE_SOCK_TCP);
        $client->connect('127.0.0.1', $port);
        for ($i = times(20000); $i > 0; $i--) {
            $client->send('a message');
            $client->recv();
        }
        $client->close();
    }),
    'tcp_length' => $beside($echo, static function (int $port): void {
        $client = new Client(SWOOLE_SOCK_TCP);
        $client->set(['open_length_check' => true, 'package_length_type' => 'N', 'package_body_offset' => 4]);
        $client->connect('127.0.0.1', $port);
        for ($i = times(3000); $i > 0; $i--) {
            $client->send(str_repeat(pack('N', 50) . str_repeat('x', 50), 20));
            for ($k = 0; $k < 20; $k++) {
                $client->recv();
            }
        }
        $client->close();
    }),
    'socket_lines' => $beside(static function (Socket $socket): void {
        while ($socket->recvLine(100, -1)) {
            $socket->sendAll(str_repeat("a line of the peer\n", 50));
        }
    }, static function (int $port): void {
        $socket = new Socket(AF_INET, SOCK_STREAM, 0);
        $socket->connect('127.0.0.1', $port);
        for ($i = times(3000); $i > 0; $i--) {
            $socket->sendAll("more\n");
            for ($k = 0; $k < 50; $k++) {
                $socket->recvLine(100);
            }
        }
        $socket->close();
    }),
    'socket_large' => $beside($echo, static function (int $port): void {
        $socket = new Socket(AF_INET, SOCK_STREAM, 0);
        $socket->connect('127.0.0.1', $port);
        for ($i = times(500); $i > 0; $i--) {
            Coroutine::create(static fn () => $socket->sendAll(str_repeat('x', 1 << 18)));
            $socket->recvAll(1 << 18);
        }
        $socket->close();
    }),
    'connections' => $beside($echo, static function (int $port): void {
        for ($i = times(5000); $i > 0; $i--) {
            $client = new Client(SWOOLE_SOCK_TCP);
            $client->connect('127.0.0.1', $port);
            $client->close();
        }
    }),
];
