<?php

declare(strict_types=1);

/* The checks of http2_client_test.php, which starts the servers: http2_client.php JSON. */

namespace Stampede\Tests\E2e;

use Swoole\Coroutine;
use Swoole\Coroutine\Http2\Client;
use Swoole\Coroutine\Http2\MultiplexClient;
use Swoole\Http2\Request;

require dirname(__DIR__) . '/lib/Report.php';

/** @var array{plain: int, tls: int, bad: int, big: string, certificate: string} $given */
$given = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
$report = new Report();
$descriptors = static fn (): int => count(scandir('/proc/self/fd') ?: []);

/** @param array<string, mixed> $fields */
$request = static function (string $path, array $fields = []): Request {
    $request = new Request();
    $request->path = $path;
    foreach ($fields as $name => $value) {
        $request->{$name} = $value;
    }
    return $request;
};

$streams = static function (Client $client, string $kind) use ($report, $request, $given): void {
    $client->set(['timeout' => 20]);
    $report->check("$kind: connects", $client->connect() && $client->connected, $client->errMsg);
    $numbers = [];
    for ($i = 0; $i < 10; $i++) {
        $numbers[] = $client->send($request($i === 0 ? '/big' : '/small'));
    }
    $report->same("$kind: numbers of streams", range(1, 19, 2), $numbers);
    $report->check("$kind: streams in progress", $client->isStreamExist(1) && $client->isStreamExist(0) && !$client->isStreamExist(99));
    $answers = [];
    for ($i = 0; $i < 10; $i++) {
        $answer = $client->recv();
        if ($answer !== false) {
            $answers[$answer->streamId] = $answer;
        }
    }
    $small = array_filter($answers, static fn ($answer): bool => $answer->data === "hello\n" && $answer->statusCode === 200);
    $report->check("$kind: ten answers", count($small) === 9 && md5((string) $answers[1]->data) === $given['big'], implode(' ', array_keys($answers)));
    $report->same("$kind: fields", '6', $answers[3]->headers['content-length'] ?? '');
    $report->check("$kind: nothing is left", !$client->isStreamExist(1) && $client->stats('active_stream_num') === 0);
    $client->send($request('/nothing'));
    $report->same("$kind: 404", 404, $client->recv()->statusCode ?? 0);
    $client->send($request('/big', ['usePipelineRead' => true]));
    $data = '';
    $count = 0;
    do {
        $answer = $client->read();
        $data .= $answer->data ?? '';
        $count++;
    } while ($answer !== false && $answer->pipeline);
    $report->check("$kind: an answer in pieces", $count > 1 && md5($data) === $given['big']);
    $client->send($request('/big', ['usePipelineRead' => true]));
    $report->same("$kind: the same at once", $given['big'], md5((string) ($client->recv()->data ?? '')));
    $report->check("$kind: ping", $client->ping() && $client->recv(0.05) === false && $client->errCode === SOCKET_ETIMEDOUT && $client->connected);
};

$bodies = static function () use ($report, $request, $given): void {
    $client = new Client('127.0.0.1', $given['plain']);
    $client->set(['timeout' => 20]);
    $client->connect();
    $text = str_repeat('0123456789', 100_000);
    $client->send($request('/echo', ['method' => 'POST', 'data' => $text]));
    $answer = $client->recv();
    $report->check('a body of a megabyte', $answer !== false && $answer->data === $text, "$client->errMsg " . strlen((string) ($answer->data ?? '')));
    $client->send($request('/echo', ['method' => 'POST', 'data' => ['a' => 'b c', 'd' => ['e']]]));
    $report->same('a form', 'a=b+c&d%5B0%5D=e', $client->recv()->data ?? '');
    $stream = $client->send($request('/echo', ['method' => 'POST', 'pipeline' => true]));
    $report->check('a body in pieces', $client->write($stream, 'one ') && $client->write($stream, ['two' => 2]) && $client->write($stream, '', true));
    $report->same('is echoed', 'one two=2', $client->recv()->data ?? '');
    $report->check('nothing may follow', !$client->write($stream, 'late') && $client->errCode === SWOOLE_ERROR_HTTP2_STREAM_NOT_FOUND);
    $report->check('headers that are none', @$client->send($request('/echo', ['headers' => ['a b' => 'c']])) === false && @$client->send($request('/echo', ['headers' => ['a' => "b\r\nc"]])) === false);
    $small = new Client('127.0.0.1', $given['plain']);
    $small->set(['package_max_length' => 100_000, 'timeout' => 20]);
    $small->connect();
    $small->send($request('/big'));
    $answer = $small->recv();
    $report->check('a body above package_max_length', $answer !== false && $answer->statusCode === -3 && $answer->errCode === SWOOLE_HTTP2_ERROR_CANCEL && strlen((string) $answer->data) < 100_000);
    $small->send($request('/small'));
    $report->same('and the connection goes on', "hello\n", $small->recv()->data ?? '');
    $report->check('goaway and close', $client->goaway() && $client->close() && !$client->close() && !$client->connected);
    $report->check('nothing is sent then', $client->send($request('/')) === false && $client->errCode === SWOOLE_ERROR_CLIENT_NO_CONNECTION);
    $multiplex = new MultiplexClient('127.0.0.1', $given['plain']);
    $multiplex->set(['timeout' => 20]);
    $channel = new Coroutine\Channel(20);
    for ($i = 0; $i < 20; $i++) {
        Coroutine::create(static function () use ($multiplex, $channel, $request, $i): void {
            $answer = $multiplex->request($request('/echo', ['method' => 'POST', 'data' => "body $i"]), 20);
            $channel->push($answer !== false && $answer->data === "body $i");
        });
    }
    $good = 0;
    for ($i = 0; $i < 20; $i++) {
        $good += $channel->pop(30) ? 1 : 0;
    }
    $report->same('each gets its own answer', 20, $good);
    $multiplex->close();
};

$faults = static function () use ($report, $request, $given): void {
    $round = static function () use ($request, $given): Client {
        $client = new Client('127.0.0.1', $given['bad']);
        $client->set(['timeout' => 20, 'read_timeout' => 20]);
        $client->connect();
        $client->send($request('/'));
        return $client;
    };
    foreach (['not HTTP/2', 'garbage', 'half a frame'] as $kind) {
        $client = $round();
        $report->check("$kind is an error", $client->recv() === false && $client->errCode !== 0 && $client->errMsg !== '' && !$client->connected, "$client->errCode $client->errMsg");
    }
    $answer = $round()->recv();
    $report->check('a reset stream', $answer !== false && $answer->statusCode === -3 && $answer->errCode === SWOOLE_HTTP2_ERROR_REFUSED_STREAM);
    $client = $round();
    $answer = $client->recv();
    $report->check('goaway ends what it has not seen', $answer === false || $answer->statusCode === -3);
    while ($client->connected && $client->recv() !== false) {
    }
    $report->check('and says why', $client->errCode === SWOOLE_HTTP2_ERROR_ENHANCE_YOUR_CALM && !$client->connected, "$client->errCode $client->errMsg");
    foreach (['data without head', 'bad compression', 'endless headers', 'body after its length'] as $kind) {
        $client = $round();
        $answer = $client->recv();
        $report->check("$kind gives no answer", $answer === false ? $client->errMsg !== '' : $answer->statusCode === -3, json_encode($answer) . " $client->errCode $client->errMsg");
    }
    $client = $round();
    $report->check('silence ends with the time', $client->recv(0.1) === false && $client->errCode === SOCKET_ETIMEDOUT);
    $client = new Client('127.0.0.1', 1);
    $report->check('nobody listens', !$client->connect() && $client->errCode === SOCKET_ECONNREFUSED && !$client->connected);
    $client = new Client('127.0.0.1', $given['bad'], true);
    $client->set(['connect_timeout' => 1]);
    $report->check('no TLS', !$client->connect() && $client->errCode !== 0);
};

$leaks = static function () use ($report, $request, $given, $descriptors): void {
    $round = static function (int $i) use ($request, $given): void {
        $client = new Client('127.0.0.1', $given[$i % 5 === 0 ? 'tls' : 'plain'], $i % 5 === 0);
        $client->set(['timeout' => 20, 'package_max_length' => $i % 2 ? 100_000 : 10_000_000]);
        $client->connect();
        $client->send($request('/big'));
        $client->send($request('/small'));
        if ($i % 3 === 0) {
            $client->recv();
        }
    };
    for ($i = 0; $i < 60; $i++) {
        $round($i);
    }
    $before = [$descriptors(), memory_get_usage()];
    for ($i = 0; $i < 500; $i++) {
        $round($i);
    }
    $after = [$descriptors(), memory_get_usage()];
    $report->same('500 connections leave no descriptor', $before[0], $after[0]);
    $report->check('and no memory', $after[1] - $before[1] < 64 * 1024, json_encode([$before, $after]));
};

Coroutine\run(static function () use ($streams, $bodies, $faults, $leaks, $given): void {
    $streams(new Client('127.0.0.1', $given['plain']), 'plain');
    $secure = new Client('localhost', $given['tls'], true);
    $secure->set(['ssl_verify_peer' => true, 'ssl_cafile' => $given['certificate']]);
    $streams($secure, 'TLS');
    $bodies();
    $faults();
    $leaks();
});
$report->finish();
