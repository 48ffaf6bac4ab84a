<?php

declare(strict_types=1);

/*
 * Between clients and a language model: they get its tokens as they come, and never its key.
 * usage: php -d extension=modules/stampede.so examples/llm-proxy/proxy.php [HOST:PORT [UPSTREAM-HOST:PORT]]
 *   UPSTREAM_KEY  the key that the model's server wants
 *   CLIENT_KEYS   keys of clients, separated by commas (default: demo)
 */

use LlmProxy\Proxy;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

use function LlmProxy\address;
use function LlmProxy\allow_files;

require __DIR__ . '/lib.php';
require __DIR__ . '/Proxy.php';

[$host, $port] = address($argv[1] ?? '127.0.0.1:9510');
[$upstreamHost, $upstreamPort] = address($argv[2] ?? '127.0.0.1:9511');
$files = min(allow_files(50_000), 100_000);
$streams = intdiv($files - 250, 2); // each has a connection to the model's server, too
$proxy = new Proxy($streams, $upstreamHost, $upstreamPort, getenv('UPSTREAM_KEY') ?: 'key-of-the-proxy', array_values(array_filter(explode(',', getenv('CLIENT_KEYS') ?: 'demo'), static fn (string $key): bool => $key !== '')));

const LAST_TOKENS = 60; // seconds that streams may go on in a worker that is being replaced

$server = new Server($host, $port);
$server->set(['worker_num' => 1, 'max_wait_time' => LAST_TOKENS, 'max_connection' => $files - 100 - $streams, 'max_coroutine' => 100_000, 'backlog' => 8192, 'package_max_length' => Proxy::LARGEST_QUESTION]);
$server->on('start', static function () use ($host, $port, $streams): void {
    echo "The proxy listens on http://{$host}:{$port}/ for at most {$streams} streams.\n";
});
$server->on('request', static function (Request $request, Response $response) use ($proxy): void {
    match (($request->server['request_method'] ?? '') . ' ' . ($request->server['request_uri'] ?? '')) {
        'POST /v1/chat/completions' => $proxy->stream($request, $response),
        'GET /health' => $response->end("{$proxy->streams()} streams\n"),
        'GET /' => $response->sendfile(__DIR__ . '/page.html'),
        default => Proxy::refuse($response, 404, 'There is nothing here.'),
    };
});
$server->start();
