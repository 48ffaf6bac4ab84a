<?php

declare(strict_types=1);

/*
 * Answers every request with what it saw, as JSON, and counts them: so a test can tell whether the application was called.
 * usage: php -d extension=... http1.php PORT SETTINGS-AS-JSON
 */

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$requests = 0;
$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$server->set(['worker_num' => 1, 'http_parse_files' => true, 'log_level' => SWOOLE_LOG_WARNING] + json_decode($argv[2], true));
$server->on('request', static function (Request $request, Response $response) use (&$requests): void {
    $path = $request->server['request_uri'];
    if ($path === '/requests') {
        $response->end((string) $requests);
        return;
    }
    $requests++;
    if ($path === '/big') {
        $response->end(str_repeat('0123456789abcdef', 65536));
        return;
    }
    if ($path === '/stream') {
        $response->write('one,');
        $response->write('two');
        $response->end();
        return;
    }
    if ($path === '/not-modified') {
        $response->status((int) ($request->get['status'] ?? 304));
        $response->end();
        return;
    }
    if ($path === '/bodiless') {  // a body for a status that has none
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
    }
    if ($path === '/promise') {
        $response->header('Content-Length', $request->get['length']);
        $response->write('hello');
        $response->end();
        return;
    }
    if ($path === '/protected') {
        $response->status(401);
        $response->header('WWW-Authenticate', 'Basic realm="here"');
        $response->end('who are you');
        return;
    }
    if ($path === '/header') {
        // What an application must not be able to send. '@' is silenced: the test looks at the bytes.
        $query = $request->get ?? [];
        $outcome = 'false';
        try {
            $outcome = var_export(@$response->header($query['name'] ?? 'X-Test', $query['value'] ?? ''), true);
        } catch (\Throwable $error) {
            $outcome = $error::class;
        }
        $response->end($outcome);
        return;
    }
    $response->header('Content-Type', 'application/json');
    $response->end(json_encode([
        'number' => $requests,
        'method' => $request->server['request_method'],
        'uri' => $path,
        'query' => $request->server['query_string'] ?? null,
        'protocol' => $request->server['server_protocol'],
        'header' => $request->header,
        'server' => array_keys($request->server),
        'get' => $request->get,
        'post' => $request->post,
        'cookie' => $request->cookie,
        'files' => $request->files,
        'body' => base64_encode((string) $request->rawContent()),
        'env' => getenv('HTTP_PROXY'),
    ], JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES));
});
$server->start();
