<?php

declare(strict_types=1);

/* The checks of fastcgi_test.php, which starts php-fpm: fastcgi.php JSON. */

namespace Stampede\Tests\E2e;

use Swoole\Coroutine;
use Swoole\Coroutine\FastCGI\Client;
use Swoole\Coroutine\FastCGI\Proxy;
use Swoole\Coroutine\Http\Client as HttpClient;
use Swoole\Coroutine\Http\Server;
use Swoole\FastCGI;
use Swoole\FastCGI\FrameParser;
use Swoole\FastCGI\HttpRequest;
use Swoole\FastCGI\Record;

require dirname(__DIR__) . '/lib/Report.php';

/** @var array{port: int, root: string} $given */
$given = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
$report = new Report();

$records = static function () use ($report): void {
    $all = [new Record\BeginRequest(FastCGI::RESPONDER, FastCGI::KEEP_CONN), new Record\Params(['name' => 'value', 'long' => str_repeat('x', 300), 'empty' => '']),
        new Record\Stdin('body'), new Record\Stdout('out'), new Record\Stderr('err'), new Record\Data('data'), new Record\AbortRequest(7),
        new Record\EndRequest(FastCGI::OVERLOADED, 3), new Record\GetValues(['FCGI_MAX_CONNS']), new Record\GetValuesResult(['FCGI_MAX_CONNS' => '1']), new Record\UnknownType(99)];
    $bytes = implode('', $all);
    $buffer = '';
    $parsed = [];
    foreach (str_split($bytes) as $byte) {
        $buffer .= $byte;
        while (FrameParser::hasFrame($buffer)) {
            $parsed[] = FrameParser::parseFrame($buffer);
        }
    }
    $report->same('records come back, byte by byte', array_map(static fn (Record $record): string => $record::class . $record, $all), array_map(static fn (Record $record): string => $record::class . $record, $parsed));
    $report->same('values', ['name' => 'value', 'long' => str_repeat('x', 300), 'empty' => ''], $parsed[1] instanceof Record\Params ? $parsed[1]->getValues() : null);
    $report->same('the end of a request', [FastCGI::OVERLOADED, 3], $parsed[7] instanceof Record\EndRequest ? [$parsed[7]->getProtocolStatus(), $parsed[7]->getAppStatus()] : null);
    $report->same('padding', 0, strlen($bytes) % 8);
    $refused = 0;
    foreach (["\x01\x63\x00\x01\x00\x00\x00\x00", 'short'] as $bytes) {
        try {
            FrameParser::parseFrame($bytes);
        } catch (\RuntimeException | \DomainException) {
            $refused++;
        }
    }
    $report->same('what is no record is refused', 2, $refused);
};

$client = static function () use ($report, $given): void {
    $request = static fn (string $query = ''): HttpRequest => (new HttpRequest())->withScriptFilename("$given[root]/index.php")->withScriptName('/index.php')->withUri("/index.php?$query");
    $client = new Client('127.0.0.1', $given['port']);
    $said = static fn (HttpRequest $request): array => json_decode($client->execute($request, 10)->getBody(), true);
    $report->same('a request', ['GET', '/index.php?a=b', ['a' => 'b']], array_values(array_intersect_key($said($request('a=b')), ['method' => 1, 'uri' => 1, 'get' => 1])));
    $body = random_bytes(400_000);
    $report->same('a large body', md5($body), $said($request()->withMethod('POST')->withContentType('application/octet-stream')->withBody($body))['body']);
    $report->same('a form', ['a' => 'b', 'c' => ['d']], $said($request()->withMethod('POST')->withBody(['a' => 'b', 'c' => ['d']]))['post']);
    $report->same('a header', 'yes', $said($request()->withHeader('X-Test', 'yes'))['header']);
    $answer = $client->execute($request('do=headers'), 10);
    $report->same('status and fields', [418, 'value', ['one=1', 'two=2']], [$answer->getStatusCode(), $answer->getHeader('x-own'), $answer->getSetCookieHeaderLines()]);
    $report->same('a large answer', md5(str_repeat('0123456789', 300_000)), md5($client->execute($request('do=big'), 10)->getBody()));
    $report->check('what it reports', str_contains($client->execute($request('do=fails'), 10)->getError(), 'reported'));
    $good = 0;
    for ($i = 0; $i < 20; $i++) {
        $good += $client->execute($request("n=$i")->withKeepConn(true), 10)->getStatusCode() === 200 ? 1 : 0;
    }
    $report->same('twenty on one connection', 20, $good);
    $report->same('a script that is not there', 404, $client->execute($request()->withScriptFilename("$given[root]/none.php"), 10)->getStatusCode());
    $report->check('call()', str_contains(Client::call("127.0.0.1:$given[port]", "$given[root]/index.php?x=y", ['post' => '1'], 10), '"get":{"x":"y"}'));
    foreach ([['127.0.0.1', 1, SOCKET_ECONNREFUSED], ['unix:/nowhere/at/all', 0, SOCKET_ENOENT]] as [$host, $port, $code]) {
        try {
            (new Client($host, $port))->execute($request(), 5);
            $report->check("nobody at $host", false);
        } catch (Client\Exception $exception) {
            $report->same("nobody at $host", $code, $exception->getCode());
        }
    }
    try {
        $client->execute($request('do=sleep'), 0.1);
        $report->check('too slow', false);
    } catch (Client\Exception $exception) {
        $report->same('too slow', SOCKET_ETIMEDOUT, $exception->getCode());
    }
    $report->same('and usable again', 200, $client->execute($request(), 10)->getStatusCode());
};

$proxy = static function () use ($report, $given): void {
    $server = new Server('127.0.0.1', 0);
    $server->set(['package_max_length' => 10 << 20]);
    $proxy = (new Proxy("tcp://127.0.0.1:$given[port]", $given['root']))->withTimeout(20)->withHttps(true);
    $server->handle('/', static fn ($request, $response) => $proxy->pass($request, $response));
    Coroutine::create(static fn () => $server->start());
    $client = new HttpClient('127.0.0.1', $server->port);
    $client->set(['timeout' => 20]);
    $client->setHeaders(['X-Test' => 'through', 'Proxy' => 'evil']);
    $client->setCookies(['c' => 'v v']);
    $client->get('/index.php/some/info?q=1');
    $said = json_decode($client->body, true);
    $report->same('through the proxy', ['GET', '/index.php/some/info?q=1', '/index.php', '/some/info', ['q' => '1'], ['c' => 'v v'], 'through', '', 'on'],
        [$said['method'], $said['uri'], $said['script'], $said['info'], $said['get'], $said['cookie'], $said['header'], $said['proxy'], $said['https']]);
    $client->get('/');
    $report->same('the index', '/index.php', json_decode($client->body, true)['script']);
    $client->addData(str_repeat('upload', 100_000), 'file', 'text/plain', 'name.txt');
    $client->post('/index.php', ['field' => 'value']);
    $said = json_decode($client->body, true);
    $report->same('an upload', [['field' => 'value'], ['file' => 'name.txt ' . md5(str_repeat('upload', 100_000))]], [$said['post'], $said['files']]);
    $client->get('/index.php?do=headers');
    $report->same('status, fields, cookies', [418, 'value', ['one=1', 'two=2']], [$client->statusCode, $client->headers['x-own'], $client->set_cookie_headers]);
    $client->get('/plain.txt');
    $report->same('a file', "plain text\n", $client->body);
    foreach (['/../outside.txt', '/%2e%2e/outside.txt', '/.secret.txt', '/none.txt'] as $path) {
        $client->get($path);
        $report->check("not $path", $client->statusCode === 404 || $client->statusCode === 403 || $client->statusCode === 400, "$client->statusCode $client->body");
    }
    $channel = new Coroutine\Channel(20);
    for ($i = 0; $i < 20; $i++) {
        Coroutine::create(static function () use ($channel, $server, $i): void {
            $client = new HttpClient('127.0.0.1', $server->port);
            $channel->push($client->get("/index.php?n=$i") && json_decode($client->body, true)['get']['n'] === (string) $i);
        });
    }
    $good = 0;
    for ($i = 0; $i < 20; $i++) {
        $good += $channel->pop(20) ? 1 : 0;
    }
    $report->same('twenty at once', 20, $good);
    $server->shutdown();
};

Coroutine\run(static function () use ($records, $client, $proxy): void {
    $records();
    $client();
    $proxy();
});
$report->finish();
