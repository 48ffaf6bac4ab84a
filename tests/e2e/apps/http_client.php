<?php

declare(strict_types=1);

/* The checks of http_client_test.php, which starts the servers: http_client.php JSON. */

namespace Stampede\Tests\E2e;

use Swoole\Coroutine;
use Swoole\Coroutine\Http\Client;

require dirname(__DIR__) . '/lib/Report.php';

/** @var array{nginx: int, tls: int, bad: int, proxy: int, certificate: string, big: string, folder: string} $given */
$given = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
$report = new Report();
$descriptors = static fn (): int => count(scandir('/proc/self/fd') ?: []);

/** @param array<string, mixed> $settings */
$bad = static function (string $path, array $settings = []) use ($given): Client {
    $client = new Client('127.0.0.1', $given['bad']);
    $client->set($settings + ['timeout' => 20]);
    $client->get($path);
    return $client;
};

$nginx = static function () use ($report, $given): void {
    $client = new Client('127.0.0.1', $given['nginx']);
    $client->set(['timeout' => 20]);
    $report->check('a small answer', $client->get('/hello') && $client->body === 'hello' && $client->statusCode === 200 && $client->errCode === 0);
    $first = $client->getsockname();
    $client->get('/hello');
    $report->check('the connection is kept', $first === $client->getsockname() && $client->connected);
    $report->check('a big body, in chunks and compressed', $client->get('/big') && md5($client->body) === $given['big']
        && $client->headers['content-encoding'] === 'gzip' && $client->headers['transfer-encoding'] === 'chunked', json_encode($client->headers) . $client->errMsg);
    $client->set(['http_compression' => false]);
    $report->check('the same as it is', $client->get('/big') && md5($client->body) === $given['big'] && !isset($client->headers['content-encoding']));
    $client->set(['body_decompression' => false]);
    $client->setHeaders(['Accept-Encoding' => 'gzip']);
    $report->check('and left compressed', $client->get('/big') && md5((string) gzdecode($client->body)) === $given['big']);
    $client = new Client('127.0.0.1', $given['nginx']);
    $answers = 0;
    for ($i = 0; $i < 6; $i++) {
        $answers += $client->get('/short') && $client->body === 'short' ? 1 : 0;
    }
    $report->same('a server that closes after two requests', 6, $answers);
    $client->setMethod('HEAD');
    $report->check('HEAD has no body', $client->execute('/big') && $client->statusCode === 200 && $client->body === '');
    $client->setMethod('GET');
    $report->check('and the connection goes on', $client->execute('/hello') && $client->body === 'hello');
    $report->check('404', $client->get('/nothing') && $client->statusCode === 404);
    $client->post('/length', ['a' => 'b c', 'd' => ['e', 'f']]);
    $report->same('the length and type of a form', '27 application/x-www-form-urlencoded', $client->body);
    $report->same('which is there for the next request', ['a' => 'b c', 'd' => ['e', 'f']], $client->requestBody);
    $report->check('an answer before the end of the request', $client->post('/limited', str_repeat('x', 20_000_000)) && $client->statusCode === 413 && !$client->connected,
        "$client->statusCode $client->errCode $client->errMsg");
    $client->setData(null);
    $client->setBasicAuth('me', 'word');
    $report->check('basic authentication', $client->get('/private/file') && $client->body === 'for me', $client->body);
    $client->setBasicAuth('me', 'wrong');
    $report->check('and the wrong one', $client->get('/private/file') && $client->statusCode === 401);
    $client->setHeaders([]);
    $file = "$given[folder]/downloaded";
    $report->check('a download', $client->download('/big', $file) && md5_file($file) === $given['big'] && $client->body === '');
    $client->setHeaders(['Range' => 'bytes=400-']);
    file_put_contents($file, str_repeat('-', 400));
    $report->check('a download from an offset', $client->download('/ranged/file', $file, 400) && $client->statusCode === 206
        && file_get_contents($file) === str_repeat('-', 400) . str_repeat('0123456789', 60));
    $client->setHeaders([]);
    $pieces = '';
    $client->set(['write_func' => static function (Client $from, string $piece) use (&$pieces): bool {
        $pieces .= $piece;
        return true;
    }]);
    $report->check('write_func gets the pieces', $client->get('/big') && md5($pieces) === $given['big'] && $client->body === '');
    $client->set(['write_func' => static fn (): bool => false]);
    $report->check('and may refuse more', !$client->get('/big') && $client->errCode === SOCKET_ECANCELED && !$client->connected);
};

$together = static function () use ($report, $given): void {
    $channel = new Coroutine\Channel(50);
    for ($i = 0; $i < 50; $i++) {
        Coroutine::create(static function () use ($channel, $given): void {
            $client = new Client('127.0.0.1', $given['nginx']);
            $good = 0;
            for ($j = 0; $j < 20; $j++) {
                $good += $client->get('/back') && $client->body === 'hello' ? 1 : 0;
            }
            $channel->push($good);
        });
    }
    $sum = 0;
    for ($i = 0; $i < 50; $i++) {
        $sum += $channel->pop(30);
    }
    $report->same('fifty at once', 1000, $sum);
    $clients = [];
    for ($i = 0; $i < 5; $i++) {
        $clients[$i] = new Client('127.0.0.1', $given['nginx']);
        $clients[$i]->setDefer();
        $clients[$i]->get('/hello');
    }
    $report->check('deferred requests are not answered yet', $clients[4]->statusCode === 0 && $clients[4]->body === '');
    $report->same('and are in any order', array_fill(0, 5, 'hello'), array_map(static fn (Client $client): string => $client->recv(10) ? $client->body : '', array_reverse($clients)));
    $client = $clients[0];
    Coroutine::create(static function () use ($client): void {
        $client->setDefer(false);
        $client->get('/big');
    });
    $refused = '';
    try {
        $client->get('/hello');
    } catch (\Swoole\Error $error) {
        $refused = $error->getMessage();
    }
    $report->check('a second user is refused', str_contains($refused, 'bound to another coroutine'), $refused);
};

$secure = static function () use ($report, $given): void {
    $client = new Client('127.0.0.1', $given['tls'], true);
    $report->check('TLS', $client->get('/') && $client->body === 'secret', "$client->errCode $client->errMsg");
    $report->check('the certificate of the server', str_starts_with((string) $client->getPeerCert(), '-----BEGIN CERTIFICATE-----'));
    $client = new Client('localhost', $given['tls'], true);
    $client->set(['ssl_verify_peer' => true, 'ssl_cafile' => $given['certificate'], 'ssl_host_name' => 'localhost']);
    $report->check('verified', $client->get('/') && $client->body === 'secret', "$client->errCode $client->errMsg");
    $client = new Client('127.0.0.1', $given['tls'], true);
    $client->set(['ssl_verify_peer' => true]);
    $report->check('a certificate nobody trusts', !$client->get('/') && $client->statusCode === SWOOLE_HTTP_CLIENT_ESTATUS_CONNECT_FAILED
        && $client->errCode === SWOOLE_ERROR_SSL_VERIFY_FAILED && $client->errMsg !== '', "$client->errCode $client->errMsg");
    $client = new Client('127.0.0.1', $given['nginx'], true);
    $report->check('TLS with a server that has none', !$client->get('/') && $client->statusCode === -1 && $client->errMsg !== '');
    foreach (['http_proxy_host' => 'http_proxy_port', 'socks5_host' => 'socks5_port'] as $host => $port) {
        $login = $host === 'http_proxy_host' ? ['http_proxy_user' => 'me', 'http_proxy_password' => 'word'] : ['socks5_username' => 'me', 'socks5_password' => 'word'];
        foreach ([['nginx', false, '/hello', 'hello'], ['tls', true, '/', 'secret']] as [$to, $tls, $path, $body]) {
            $client = new Client('127.0.0.1', $given[$to], $tls);
            $client->set([$host => '127.0.0.1', $port => $given['proxy'], 'timeout' => 10] + $login);
            $report->check("$host to $to", $client->get($path) && $client->body === $body, "$client->statusCode $client->errCode $client->errMsg");
        }
        $client = new Client('127.0.0.1', $given['tls'], true);
        $client->set([$host => '127.0.0.1', $port => $given['proxy'], 'timeout' => 10, key($login) => 'other']);
        $report->check("$host refuses", !$client->get('/') && $client->statusCode === -1 && $client->errCode !== 0 && $client->errMsg !== '');
    }
};

$faults = static function () use ($report, $bad, $given): void {
    $reset = SWOOLE_HTTP_CLIENT_ESTATUS_SERVER_RESET;
    $late = SWOOLE_HTTP_CLIENT_ESTATUS_REQUEST_TIMEOUT;
    $protocol = SWOOLE_ERROR_HTTP_INVALID_PROTOCOL;
    $large = SWOOLE_ERROR_PACKAGE_LENGTH_TOO_LARGE;
    $small = ['package_max_length' => 1 << 20];
    $expected = [
        '/garbage' => [$reset, $protocol], '/close' => [$reset, SOCKET_ECONNRESET], '/half-head' => [$reset, SOCKET_ECONNRESET],
        '/half-body' => [$reset, SOCKET_ECONNRESET], '/half-chunk' => [$reset, SOCKET_ECONNRESET], '/bad-chunk' => [$reset, $protocol],
        '/two-lengths' => [$reset, $protocol], '/endless-head' => [$reset, $protocol], '/endless-line' => [$reset, $protocol],
        '/endless-interim' => [$reset, $protocol], '/endless-extension' => [$reset, $protocol], '/endless-chunks' => [$reset, $large, $small],
        '/huge-length' => [$reset, $large], '/bomb' => [$reset, $large, $small], '/bad-gzip' => [$reset, $protocol], '/cut-gzip' => [$reset, $protocol],
        '/silent' => [$late, SOCKET_ETIMEDOUT, ['timeout' => 0.1]], '/stalled-body' => [$late, SOCKET_ETIMEDOUT, ['timeout' => 20, 'read_timeout' => 0.1]],
    ];
    foreach ($expected as $path => $want) {
        $client = $bad($path, $want[2] ?? []);
        $report->check("$path is an error", $client->statusCode === $want[0] && $client->errCode === $want[1] && $client->errMsg !== '' && !$client->connected && $client->body === '',
            "$client->statusCode $client->errCode $client->errMsg");
    }
    foreach (['/until-close' => 'up to the end', '/http10' => 'old', '/interim' => 'ok', '/dribble' => 'abcdefg', '/raw-deflate' => 'hello', '/two-members' => 'one two', '/both-framings' => 'abc', '/too-much' => 'abc'] as $path => $body) {
        $client = $bad($path);
        $report->check("$path is understood", $client->statusCode === 200 && $client->body === $body && $client->errCode === 0, "$client->statusCode $client->errCode $client->errMsg $client->body");
    }
    $client = $bad('/too-much');
    $report->check('what follows an answer unasked is never one', $client->get('/echo') && !str_contains($client->body, 'forged'), $client->body);
    $client = new Client('127.0.0.1', 1);
    $report->check('nobody listens', !$client->get('/') && $client->statusCode === -1 && $client->errCode === SOCKET_ECONNREFUSED);
    $client = new Client('name.invalid', 80);
    $client->set(['connect_timeout' => 5]);
    $report->check('a name without an address', !$client->get('/') && $client->statusCode === -1 && $client->errCode !== 0 && $client->errMsg !== '');
    $client = $bad('/once');
    $report->check('a connection that died is replaced', $client->body === '1' && $client->get('/once') && $client->body === '1', "$client->statusCode $client->errMsg");
    $client = $bad('/once');
    $report->check('but a POST is not sent twice', !$client->post('/once', 'x') && $client->statusCode === SWOOLE_HTTP_CLIENT_ESTATUS_SERVER_RESET);
    $client = $bad('/once', ['max_retries' => 0]);
    $report->check('nor anything without max_retries', !$client->get('/once'));
    $client = $bad('/close-after');
    $report->check('a closed connection is noticed', $client->get('/close-after') && $client->body === '1');
    $client = $bad('/cookies');
    $report->same('cookies', ['a' => '1', 'b' => ' x'], $client->cookies);
    $report->same('lines of cookies', 3, count($client->set_cookie_headers ?? []));
    $client->get('/echo');
    $report->check('are sent', str_contains($client->body, "\r\nCookie: a=1; b=%20x\r\n"), $client->body);
    $client = new Client('127.0.0.1', $given['bad']);
    $report->check('a handshake that is none', !$client->upgrade('/no-upgrade') && $client->errCode === SWOOLE_ERROR_WEBSOCKET_HANDSHAKE_FAILED && !$client->connected);
    $report->check('a server that knows no WebSocket', !$client->upgrade('/echo') && $client->statusCode === 200 && $client->errCode === SWOOLE_ERROR_WEBSOCKET_HANDSHAKE_FAILED);
    foreach (["/a\r\nX: y", "/a\0b"] as $path) {
        $report->check('a path with control characters', !@$client->get($path) && $client->errCode === SWOOLE_ERROR_INVALID_PARAMS);
    }
    $client->setHeaders(['X' => "a\r\nY: b"]);
    $report->check('a header with a line break', !@$client->get('/echo') && $client->errCode === SWOOLE_ERROR_INVALID_PARAMS);
};

$uploads = static function () use ($report, $given): void {
    $file = "$given[folder]/upload";
    file_put_contents($file, str_repeat('file', 50_000));
    $client = new Client('127.0.0.1', $given['bad']);
    $client->addFile($file, 'one', 'text/x-one', 'o"ne.txt');
    $client->addFile($file, 'two', offset: 4, length: 8);
    $client->addData('the data', 'three', 'text/plain', 'three.txt');
    $report->check('an upload is sent', $client->post('/echo', ['field' => 'value']), $client->errMsg);
    $body = $client->body;
    foreach (["\"field\"\r\n\r\nvalue\r\n", "name=\"one\"; filename=\"o%22ne.txt\"\r\nContent-Type: text/x-one\r\n\r\n" . str_repeat('file', 50_000) . "\r\n",
        "name=\"two\"; filename=\"upload\"\r\nContent-Type: application/octet-stream\r\n\r\nfilefile\r\n", "name=\"three\"; filename=\"three.txt\"\r\nContent-Type: text/plain\r\n\r\nthe data\r\n"] as $part) {
        $report->check('with its part ' . substr($part, 0, 20), str_contains($body, $part), substr($body, 0, 900));
    }
    $report->check('and forgotten', $client->uploadFiles === null && $client->get('/echo') && !str_contains($client->body, 'multipart'));
    $report->check('a file that is not there', !@$client->addFile("$given[folder]/none", 'x') && !@$client->addFile($file, 'x', offset: 300_000));
};

// Everything that goes wrong, often: nothing stays.
$leaks = static function () use ($report, $bad, $descriptors): void {
    $paths = ['/garbage', '/close', '/half-body', '/half-chunk', '/bad-gzip', '/once', '/no-upgrade', '/silent', '/interim'];
    $round = static function (int $i) use ($bad, $paths): void {
        $path = $paths[$i % count($paths)];
        $client = $bad($path, ['timeout' => $path === '/silent' ? 0.005 : 20]);
        if ($path === '/no-upgrade') {
            $client->upgrade($path);
        }
        if ($path === '/interim') {
            $client->setDefer();
            $client->get($path);
            $client->close();
        }
    };
    for ($i = 0; $i < 100; $i++) {
        $round($i);
    }
    gc_collect_cycles();
    $before = [$descriptors(), memory_get_usage(), Coroutine::stats()['coroutine_num']];
    for ($i = 0; $i < 500; $i++) {
        $round($i);
    }
    $cancelled = 0;
    for ($i = 0; $i < 50; $i++) {
        $cid = Coroutine::create(static function () use ($bad, &$cancelled): void {
            $cancelled += $bad('/silent')->errCode === SOCKET_ECANCELED ? 1 : 0;
        });
        Coroutine::sleep(0.001);
        Coroutine::cancel($cid);
        Coroutine::join([$cid], 10);
    }
    $report->same('cancelled waits end', 50, $cancelled);
    gc_collect_cycles();
    $after = [$descriptors(), memory_get_usage(), Coroutine::stats()['coroutine_num']];
    $report->same('500 rounds leave no descriptor', $before[0], $after[0]);
    $report->check('no memory', $after[1] - $before[1] < 64 * 1024, json_encode([$before, $after]));
    $report->same('and no coroutine', $before[2], $after[2]);
};

Coroutine\run(static function () use ($nginx, $together, $secure, $faults, $uploads, $leaks): void {
    foreach ([$nginx, $together, $secure, $faults, $uploads, $leaks] as $part) {
        $part();
    }
});
$report->finish();
