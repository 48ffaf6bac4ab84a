<?php

declare(strict_types=1);

/*
 * The smallest application: its first page lists what there is.
 * usage: php -d extension=modules/stampede.so examples/hello/server.php [host] [port]
 */

use Swoole\Coroutine as Co;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$host = $argv[1] ?? '127.0.0.1';
$port = (int) ($argv[2] ?? 9501);

function page(Request $request): string
{
    $links = [
        '/json' => 'a JSON response: what this request looked like',
        '/sleep?ms=500' => 'a coroutine sleeps half a second; the worker answers others meanwhile',
        '/together' => 'three waits of 0.2 s at the same time: 0.2 s, not 0.6',
        '/stream' => 'a response in five parts, one every 300 ms',
        '/error' => 'an exception: a 500 for this request, a line in the log, nothing else stops',
    ];
    $items = '';
    foreach ($links as $path => $text) {
        $items .= sprintf('<li><a href="%1$s"><code>%1$s</code><br><span>%2$s</span></a></li>', htmlspecialchars($path), htmlspecialchars($text));
    }
    $pid = getmypid();
    $php = PHP_VERSION;
    $stampede = phpversion('stampede');

    return <<<HTML
        <!doctype html>
        <html lang="en">
        <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Stampede</title>
            <style>
                :root { color-scheme: light dark; }
                body { background: light-dark(#f6f7f9, #14171b); color: light-dark(#1b2129, #e7eaee); font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 42rem; padding: clamp(1.5rem, 8vw, 4rem) 1.25rem; }
                h1 { font-size: 2.25rem; line-height: 1.2; margin: 0; }
                ul { list-style: none; margin: 2rem 0; padding: 0; }
                a { background: light-dark(#fff, #1c2026); border: 1px solid light-dark(#dfe3e8, #323841); border-radius: .6rem; color: inherit; display: block; margin: .6rem 0; padding: .7rem 1rem; text-decoration: none; }
                a:hover, a:focus { border-color: light-dark(#1f5fae, #8cc2ff); }
                code { color: light-dark(#1f5fae, #8cc2ff); font-weight: 600; }
                footer, a span { color: light-dark(#5d6875, #98a3b1); font-size: .9rem; }
            </style>
        </head>
        <body>
            <h1>It runs.</h1>
            <p>This page comes from <code>examples/hello/server.php</code>, a PHP process that stays in memory between requests.</p>
            <ul>{$items}</ul>
            <footer>Stampede {$stampede}, PHP {$php}, worker process {$pid}</footer>
        </body>
        </html>
        HTML;
}

function answer_json(Request $request, Response $response): void
{
    $response->header('Content-Type', 'application/json');
    $response->end(json_encode([
        'method' => $request->server['request_method'] ?? '',
        'path' => $request->server['request_uri'] ?? '',
        'query' => $request->get ?? [],
        'headers' => $request->header,
        'coroutine' => Co::getCid(),
    ], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR) . "\n");
}

function answer_sleep(Request $request, Response $response): void
{
    $milliseconds = max(1, min(10_000, (int) ($request->get['ms'] ?? 500)));
    $began = microtime(true);
    Co::sleep($milliseconds / 1000);
    $response->header('Content-Type', 'text/plain');
    $response->end(sprintf("slept %.0f ms\n", (microtime(true) - $began) * 1000));
}

function answer_together(Request $request, Response $response): void
{
    $began = microtime(true);
    $group = new Co\WaitGroup();
    for ($i = 0; $i < 3; $i++) {
        $group->add();
        Co::create(static function () use ($group): void {
            Co::sleep(0.2);
            $group->done();
        });
    }
    $group->wait();
    $response->header('Content-Type', 'text/plain');
    $response->end(sprintf("three waits took %.0f ms\n", (microtime(true) - $began) * 1000));
}

function answer_stream(Request $request, Response $response): void
{
    $response->header('Content-Type', 'text/plain; charset=utf-8');
    for ($part = 1; $part <= 5; $part++) {
        if (!$response->write("part $part of 5\n")) {
            return; // the reader went away
        }
        Co::sleep(0.3);
    }
    $response->end("the end\n");
}

$server = new Server($host, $port, SWOOLE_PROCESS);
$server->set(['worker_num' => min(4, swoole_cpu_num())]);
$server->on('start', static function (Server $server) use ($host, $port): void {
    echo "Stampede is serving http://{$host}:{$port}/  (Ctrl-C stops it)\n";
});
$server->on('request', static function (Request $request, Response $response): void {
    match ($request->server['path_info'] ?? '/') {
        '/' => (static function () use ($request, $response): void {
            $response->header('Content-Type', 'text/html; charset=utf-8');
            $response->end(page($request));
        })(),
        '/json' => answer_json($request, $response),
        '/sleep' => answer_sleep($request, $response),
        '/together' => answer_together($request, $response),
        '/stream' => answer_stream($request, $response),
        '/error' => throw new RuntimeException('This page fails on purpose.'),
        default => (static function () use ($response): void {
            $response->status(404);
            $response->header('Content-Type', 'text/plain');
            $response->end("There is nothing here; see / for what there is.\n");
        })(),
    };
});
$server->start();
