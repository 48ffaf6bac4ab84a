<?php

declare(strict_types=1);

namespace Stampede\Bench\Sweep;

use Swoole\Http\Request;
use Swoole\Http\Response;

$hello = static function (Request $request, Response $response): void {
    $response->end('hello');
};
$get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
$post = static fn (string $body, string $type): string => "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: $type\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body";
$json = json_encode(array_map(static fn (int $i): array => ['id' => $i, 'name' => "name $i", 'list' => range(1, 10)], range(1, 100)));
$form = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nvalue\r\n--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\nContent-Type: text/plain\r\n\r\n" . str_repeat('line of a file', 4000) . "\r\n--b--\r\n";

return [
    'get' => static fn () => serve(http($hello), requests($get, times(15000), 5)),
    'many_connections' => static fn () => serve(http($hello), requests($get, times(15000), 5, times(100))),
    'new_connections' => static fn () => serve(http($hello), static function (int $port): void {
        for ($i = times(3000); $i > 0; $i--) {
            $socket = connect($port);
            write($socket, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            response($socket);
        }
    }),
    'pipelined' => static fn () => serve(http($hello), static function (int $port) use ($get): void {
        $socket = connect($port);
        for ($i = times(1500); $i > 0; $i--) {
            write($socket, str_repeat($get, 20));
            for ($k = 0; $k < 20; $k++) {
                response($socket);
            }
        }
    }),
    'query_and_fields' => static fn () => serve(http(static function (Request $request, Response $response): void {
        $response->end($request->get['b'] . $request->header['x-19'] . $request->server['query_string']);
    }), requests('GET /path?' . http_build_query(['a' => 'x y', 'b' => '1', 'c' => range(1, 10)]) . " HTTP/1.1\r\nHost: a\r\n" . implode('', array_map(static fn (int $i): string => "X-$i: value\r\n", range(1, 25))) . "\r\n", times(10000))),
    'request_cookies' => static fn () => serve(http(static function (Request $request, Response $response): void {
        $response->end($request->cookie['c9']);
    }), requests("GET / HTTP/1.1\r\nHost: a\r\nCookie: " . implode('; ', array_map(static fn (int $i): string => "c$i=value$i", range(1, 20))) . "\r\n\r\n", times(12000), 6)),
    'response_fields' => static fn () => serve(http(static function (Request $request, Response $response): void {
        for ($i = 0; $i < 40; $i++) {
            $response->header("X-Field-$i", "value $i");
        }
        for ($i = 0; $i < 10; $i++) {
            $response->cookie("c$i", "value $i", 4102444800, '/', '', true, true);
        }
        $response->end('x');
    }), requests($get, times(8000), 1)),
    'post_form' => static fn () => serve(http(static function (Request $request, Response $response): void {
        $response->end((string) count($request->post));
    }), requests($post(http_build_query(array_fill_keys(array_map(static fn (int $i): string => "field$i", range(1, 30)), 'a value')), 'application/x-www-form-urlencoded'), times(10000), 2)),
    'post_json' => static fn () => serve(http(static function (Request $request, Response $response): void {
        $response->end((string) count(json_decode($request->getContent(), true)));
    }), requests($post($json, 'application/json'), times(5000), 3)),
    'post_1m' => static fn () => serve(http(static function (Request $request, Response $response): void {
        $response->end((string) strlen($request->getContent()));
    }), requests($post(str_repeat('x', 1 << 20), 'text/plain'), times(600), 7, 2)),
    'multipart' => static fn () => serve(http(static function (Request $request, Response $response): void {
        $response->end($request->post['a'] . $request->files['f']['size']);
    }), requests($post($form, 'multipart/form-data; boundary=b'), times(2500), 10)),
    'response_json' => static fn () => serve(http(static function (Request $request, Response $response) use ($json): void {
        $response->header('Content-Type', 'application/json');
        $response->end($json);
    }), requests($get, times(10000), strlen($json))),
    'response_1m' => static fn () => serve(http(static function (Request $request, Response $response): void {
        $response->end(str_repeat('x', 1 << 20));
    }), requests($get, times(800), 1 << 20, 2)),
    'gzip' => static fn () => serve(http(static function (Request $request, Response $response) use ($json): void {
        $response->header('Content-Type', 'application/json');
        $response->end($json);
    }), requests("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n", times(4000))),
    'chunked' => static fn () => serve(http(static function (Request $request, Response $response): void {
        for ($i = 0; $i < 10; $i++) {
            $response->write('a piece of the body');
        }
        $response->end();
    }), requests($get, times(4000), 190)),
    'sendfile' => static function () use ($get): void {
        $file = scratch(str_repeat('x', 200_000));
        serve(http(static fn (Request $request, Response $response) => $response->sendfile($file)), requests($get, times(4000), 200_000));
    },
    'static_file' => static function () use ($hello): void {
        $file = scratch(str_repeat('x', 5000));
        serve(http($hello), requests('GET /' . basename($file) . " HTTP/1.1\r\nHost: a\r\n\r\n", times(12000), 5000), ['enable_static_handler' => true, 'document_root' => dirname($file)]);
    },
    'waits' => static fn () => serve(http(static function (Request $request, Response $response): void {
        \Swoole\Coroutine::sleep(0.001);
        $response->end('waited');
    }), requests($get, times(8000), 6, times(50))),
    'unix' => static function () use ($hello, $get): void {
        $path = sys_get_temp_dir() . '/sweep-' . getmypid() . '.sock';
        serve(http($hello, SWOOLE_SOCK_UNIX_STREAM, $path), static function () use ($path, $get): void {
            $sockets = array_map(static fn () => connect("unix://$path"), range(1, 8));
            for ($i = times(2000); $i > 0; $i--) {
                foreach ($sockets as $socket) {
                    write($socket, $get);
                }
                array_map(response(...), $sockets);
            }
        });
    },
    'coroutine_server' => static function () use ($get): void {
        \Swoole\Coroutine\run(static function () use ($get): void {
            $server = new \Swoole\Coroutine\Http\Server('127.0.0.1', 0);
            $server->handle('/', static fn (Request $request, Response $response) => $response->end('hello'));
            \Swoole\Coroutine::create($server->start(...));
            requests($get, times(6000), 5)($server->port);
            $server->shutdown();
        });
    },
];
