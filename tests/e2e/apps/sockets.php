<?php

declare(strict_types=1);

/*
 * What Coroutine\Socket, Coroutine\Client and Client do with the peers of rough_peers.php and a Redis server. Prints a JSON line for each
 * check. usage: sockets.php PORTS-AS-JSON REDIS-PORT FAILURES-OF-EACH-KIND
 */

namespace Stampede\Tests\E2e\Sockets;

use Closure;
use Swoole\Coroutine;
use Swoole\Coroutine\Client;
use Swoole\Coroutine\Socket;

/** @var array<string, int> $ports */
$ports = json_decode($argv[1], true);
$redis_port = (int) $argv[2];
$failures = (int) $argv[3];

function same(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(compact('name', 'expected', 'actual'), JSON_INVALID_UTF8_SUBSTITUTE | JSON_PRESERVE_ZERO_FRACTION), "\n";
}

/** @param array<string, mixed> $settings */
function client(int $port, array $settings = [], int $type = SWOOLE_SOCK_TCP): Client
{
    $client = new Client($type);
    $client->set($settings + ['connect_timeout' => 10, 'read_timeout' => 10, 'write_timeout' => 10]);
    if (!$client->connect('127.0.0.1', $port)) {
        same("connecting to port $port", '', $client->errMsg);
    }
    return $client;
}

const SOCKS5_CONNECT_FAILED = 7006;  // SWOOLE_ERROR_ with the same name
const FRAMED = ['open_length_check' => true, 'package_length_type' => 'N', 'package_body_offset' => 4];

function redis(int $port): void
{
    $client = client($port, ['open_eof_check' => true, 'package_eof' => "\r\n"]);
    same('Redis answers a command', 9, $client->send("PING one\r\n") - 1);
    same('with a length and a line', ["\$3\r\n", "one\r\n"], [$client->recv(), $client->recv()]);
    $value = str_repeat('v', 1_000_000);
    $client->send("*3\r\n\$3\r\nSET\r\n\$1\r\nk\r\n\$1000000\r\n$value\r\n*2\r\n\$3\r\nGET\r\n\$1\r\nk\r\n");
    same('a large value goes there', "+OK\r\n", $client->recv());
    same('and back', ["\$1000000\r\n", true], [$client->recv(), $client->recv() === "$value\r\n"]);
    $subscriber = client($port, ['open_eof_check' => true]);
    $subscriber->send("SUBSCRIBE news\r\n");
    for ($i = 0; $i < 6; $i++) {
        $subscriber->recv();
    }
    $seen = [];
    $done = new Coroutine\Channel();
    go(function () use ($subscriber, &$seen, $done) {
        for ($i = 0; $i < 7; $i++) {
            $seen[] = $subscriber->recv();
        }
        $done->push(true);
    });
    $client->send("PUBLISH news hello\r\n");
    same('a published message wakes its reader', true, $done->pop(10));
    same('whole', "hello\r\n", $seen[6]);
}

/** @param array<string, int> $ports */
function streams(array $ports): void
{
    $socket = new Socket(AF_INET, SOCK_STREAM, 0);
    same('a socket connects', true, $socket->connect('127.0.0.1', $ports['echo'], 10));
    $bytes = random_bytes(3_000_000);
    $back = '';
    $done = new Coroutine\Channel();
    go(function () use ($socket, &$back, $bytes, $done) {
        $back = (string) $socket->recvAll(strlen($bytes), 20);
        $done->push(true);
    });
    same('one coroutine sends 3 MB', strlen($bytes), $socket->sendAll($bytes, 20));
    same('while another receives them', [true, true], [$done->pop(20), $back === $bytes]);
    $file = (string) tempnam(sys_get_temp_dir(), 'stampede-sendfile-');
    file_put_contents($file, substr($bytes, 0, 200_000));
    same('a part of a file goes out', true, $socket->sendFile($file, 1000, 150_000));
    same('as it is', substr($bytes, 1000, 150_000) === $socket->recvAll(150_000, 10), true);
    same('more than the file holds is refused', [false, SOCKET_EINVAL], [$socket->sendFile($file, 1000, 200_000), $socket->errCode]);
    unlink($file);
    same('peek() takes nothing', [4, 'peek', 'peek'], [$socket->send('peek'), waited_peek($socket), $socket->recv()]);
    same('a live connection is seen', true, $socket->checkLiveness());
    $socket->shutdown(1);
    same('the end comes as an empty string', ['', 0, false], [$socket->recv(65536, 10), $socket->errCode, $socket->checkLiveness()]);
    $socket->close();
    same('a closed socket says so', [false, SOCKET_EBADF, true, -1], [$socket->recv(), $socket->errCode, $socket->isClosed(), $socket->fd]);
}

function waited_peek(Socket $socket): string
{
    $deadline = microtime(true) + 10;
    while (($seen = (string) $socket->peek()) === '' && microtime(true) < $deadline) {
        Coroutine::sleep(0.002);
    }
    return $seen;
}

/** @param array<string, int> $ports */
function limits(array $ports): void
{
    $client = client($ports['silent'], ['read_timeout' => 0.05]);
    same('a read without answer ends in time', [false, SOCKET_ETIMEDOUT], [$client->recv(), $client->errCode]);
    same('and the connection is still there', true, $client->isConnected());
    $client = client($ports['silent'], ['write_timeout' => 0.05, 'socket_buffer_size' => 4096]);
    $sent = $client->send(str_repeat('x', 50_000_000));
    same('a write that nobody takes ends in time, in part', [true, SOCKET_ETIMEDOUT], [$sent > 0 && $sent < 50_000_000, $client->errCode]);
    $client = new Client(SWOOLE_SOCK_TCP);
    same('so does a connect', [false, SOCKET_ETIMEDOUT, -1], [$client->connect('127.0.0.1', $ports['full'], 0.1), $client->errCode, $client->fd]);
    $client = new Client(SWOOLE_SOCK_TCP | SWOOLE_SSL);
    same('and a TLS handshake', [false, SOCKET_ETIMEDOUT], [$client->connect('127.0.0.1', $ports['silent'], 0.1), $client->errCode]);
    $client = client($ports['endless'], ['open_eof_check' => true, 'package_max_length' => 300_000]);
    same('a packet without end is refused', [false, SWOOLE_ERROR_PACKAGE_LENGTH_TOO_LARGE], [$client->recv(), $client->errCode]);
    same('for good', [false, SWOOLE_ERROR_PACKAGE_LENGTH_TOO_LARGE], [$client->recv(), $client->errCode]);
    same('without having been kept', true, memory_get_usage() < 30_000_000);
    $client = client($ports['garbage'], FRAMED);
    same('so is a length that is too large', [false, SWOOLE_ERROR_PACKAGE_LENGTH_TOO_LARGE], [$client->recv(), $client->errCode]);
    $client = client($ports['garbage'], ['package_length_type' => 'l'] + FRAMED);
    same('and one below zero', [false, SWOOLE_ERROR_PACKAGE_MALFORMED_DATA], [$client->recv(), $client->errCode]);
    $client = client($ports['half'], FRAMED);
    $client->send('?');
    same('an end inside a packet is an error', [false, SOCKET_ECONNRESET], [$client->recv(), $client->errCode]);
    $client = new Client(SWOOLE_SOCK_TCP | SWOOLE_SSL);
    same('nonsense instead of TLS too', [false, SWOOLE_ERROR_SSL_HANDSHAKE_FAILED], [$client->connect('127.0.0.1', $ports['garbage'], 10), $client->errCode]);
}

/** @param array<string, int> $ports */
function proxies(array $ports): void
{
    $login = ['socks5_username' => 'user', 'socks5_password' => 'secret', 'http_proxy_user' => 'user', 'http_proxy_password' => 'secret'];
    foreach (['socks' => 'socks5', 'locked_socks' => 'socks5', 'http_proxy' => 'http_proxy', 'locked_http_proxy' => 'http_proxy'] as $role => $prefix) {
        $settings = ["{$prefix}_host" => '127.0.0.1', "{$prefix}_port" => $ports[$role]] + (str_starts_with($role, 'locked') ? $login : []);
        $client = client($ports['echo'], $settings);
        same("bytes go through the $role", [5, 'hello'], [$client->send('hello'), $client->recv()]);
        $client = client($ports['garbage'], $settings + ['open_eof_check' => true, 'package_eof' => "\xff\xff"]);
        same("and what the server says first is not lost in the $role", "\xff\xff", $client->recv());
        $client = new Client(SWOOLE_SOCK_TCP);
        $client->set($settings);
        $refused = $prefix === 'socks5' ? SOCKS5_CONNECT_FAILED : SWOOLE_ERROR_HTTP_PROXY_HANDSHAKE_FAILED;
        same("the $role says that it cannot reach the server", [false, $refused], [$client->connect('127.0.0.1', 1, 10), $client->errCode]);
    }
    foreach (['socks5' => SWOOLE_ERROR_SOCKS5_AUTH_FAILED, 'http_proxy' => SWOOLE_ERROR_HTTP_PROXY_HANDSHAKE_FAILED] as $prefix => $code) {
        $client = new Client(SWOOLE_SOCK_TCP);
        $role = $prefix === 'socks5' ? 'locked_socks' : 'locked_http_proxy';
        $client->set(["{$prefix}_host" => '127.0.0.1', "{$prefix}_port" => $ports[$role], "{$prefix}_username" => 'user', "{$prefix}_password" => 'wrong!']);
        same("a wrong password is refused by $prefix", [false, $code], [$client->connect('127.0.0.1', $ports['echo'], 10), $client->errCode]);
        $client = new Client(SWOOLE_SOCK_TCP);
        $client->set(["{$prefix}_host" => '127.0.0.1', "{$prefix}_port" => $ports['garbage']]);
        $code = $prefix === 'socks5' ? SWOOLE_ERROR_SOCKS5_UNSUPPORT_VERSION : SOCKET_ETIMEDOUT;
        same("what is no proxy is seen by $prefix", [false, $code], [$client->connect('127.0.0.1', $ports['echo'], 0.5), $client->errCode]);
    }
}

/**
 * What goes wrong in each way, and leaves nothing behind.
 *
 * @param array<string, int> $ports
 * @return array<string, Closure(): array{mixed, int}>
 */
function mishaps(array $ports): array
{
    $attempt = static function (int $port, array $settings = [], int $type = SWOOLE_SOCK_TCP, float $timeout = 10): Client {
        $client = new Client($type);
        $client->set($settings);
        $client->connect('127.0.0.1', $port, $timeout);
        // The time for connecting is the limit of all further calls, until it is set anew.
        $client->set($settings);
        return $client;
    };
    $received = static function (Client $client): array {
        return [$client->recv(), $client->errCode];
    };
    $interrupted = static function (Closure $interrupt) use ($ports): array {
        $socket = new Socket(AF_INET, SOCK_STREAM, 0);
        $socket->connect('127.0.0.1', $ports['silent'], 10);
        go(static function () use ($interrupt, $socket): void {
            while ($socket->getBoundCid(SWOOLE_EVENT_READ) === 0) {
                Coroutine::sleep(0.001);
            }
            $interrupt($socket);
        });
        $answer = $socket->recv(10, 10);
        return [$answer, $socket->errCode === SOCKET_EBADF ? SOCKET_ECANCELED : $socket->errCode];
    };
    return [
        'refused' => static fn (): array => [false, $attempt(1)->errCode],
        'connect timeout' => static fn (): array => [false, $attempt($ports['full'], timeout: 0.01)->errCode],
        'read timeout' => static fn (): array => $received($attempt($ports['silent'], ['read_timeout' => 0.005])),
        'write timeout' => static function () use ($attempt, $ports): array {
            static $much = null;
            $much ??= str_repeat('x', 8_000_000);
            $client = $attempt($ports['silent'], ['write_timeout' => 0.01, 'socket_buffer_size' => 4096]);
            return [$client->send($much) === strlen($much), $client->errCode];
        },
        'handshake timeout' => static fn (): array => [false, $attempt($ports['silent'], type: SWOOLE_SOCK_TCP | SWOOLE_SSL, timeout: 0.02)->errCode],
        'not TLS' => static fn (): array => [false, $attempt($ports['garbage'], type: SWOOLE_SOCK_TCP | SWOOLE_SSL)->errCode],
        'too large' => static fn (): array => $received($attempt($ports['garbage'], FRAMED)),
        'half a packet' => static function () use ($attempt, $received, $ports): array {
            $client = $attempt($ports['half'], FRAMED);
            $client->send('?');
            return $received($client);
        },
        'cancelled' => static fn (): array => $interrupted(static fn (Socket $socket) => $socket->cancel()),
        'closed' => static fn (): array => $interrupted(static fn (Socket $socket) => $socket->close()),
        'no login' => static fn (): array => [false, $attempt($ports['echo'], ['socks5_host' => '127.0.0.1', 'socks5_port' => $ports['locked_socks']])->errCode],
        'bad proxy' => static fn (): array => [false, $attempt($ports['echo'], ['socks5_host' => '127.0.0.1', 'socks5_port' => $ports['garbage']])->errCode],
    ];
}

const EXPECTED = [
    'refused' => SOCKET_ECONNREFUSED,
    'connect timeout' => SOCKET_ETIMEDOUT,
    'read timeout' => SOCKET_ETIMEDOUT,
    'write timeout' => SOCKET_ETIMEDOUT,
    'handshake timeout' => SOCKET_ETIMEDOUT,
    'not TLS' => SWOOLE_ERROR_SSL_HANDSHAKE_FAILED,
    'too large' => SWOOLE_ERROR_PACKAGE_LENGTH_TOO_LARGE,
    'half a packet' => SOCKET_ECONNRESET,
    'cancelled' => SOCKET_ECANCELED,
    'closed' => SOCKET_ECANCELED,
    'no login' => SWOOLE_ERROR_SOCKS5_UNSUPPORT_METHOD,
    'bad proxy' => SWOOLE_ERROR_SOCKS5_UNSUPPORT_VERSION,
];

/** @return array{fds: int, coroutines: int, memory: int, resident: int} */
function inventory(): array
{
    gc_collect_cycles();
    preg_match('/^VmRSS:\s+(\d+)/m', (string) file_get_contents('/proc/self/status'), $found);
    return [
        'fds' => count(scandir('/proc/self/fd') ?: []),
        'coroutines' => Coroutine::stats()['coroutine_num'],
        'memory' => memory_get_usage(),
        'resident' => (int) ($found[1] ?? 0),
    ];
}

/** @return array<string, int> outcomes, counted */
function repeat(Closure $mishap, int $times, int $width): array
{
    $outcomes = [];
    for ($done = 0; $done < $times; $done += $width) {
        $group = new Coroutine\WaitGroup();
        for ($i = 0; $i < min($width, $times - $done); $i++) {
            $group->add();
            go(static function () use ($mishap, $group, &$outcomes): void {
                $outcome = json_encode($mishap(), JSON_INVALID_UTF8_SUBSTITUTE);
                $outcomes[$outcome] = ($outcomes[$outcome] ?? 0) + 1;
                $group->done();
            });
        }
        $group->wait();
    }
    return $outcomes;
}

/** @param array<string, int> $ports */
function leftovers(array $ports, int $times): void
{
    foreach (mishaps($ports) as $name => $mishap) {
        repeat($mishap, 100, 50);
        $before = inventory();
        same("$times times \"$name\"", ['[false,' . EXPECTED[$name] . ']' => $times], repeat($mishap, $times, 50));
        $after = inventory();
        same("\"$name\" leaves no descriptor and no coroutine", [$before['fds'], $before['coroutines']], [$after['fds'], $after['coroutines']]);
        $memory = $after['memory'] - $before['memory'];
        $resident = $after['resident'] - $before['resident'];
        same("\"$name\" leaves no memory", [], array_filter(['bytes of PHP' => max(0, $memory - 16384), 'kilobytes' => max(0, $resident - 1500)]));
    }
}

Coroutine\run(function () use ($ports, $redis_port, $failures): void {
    redis($redis_port);
    streams($ports);
    limits($ports);
    proxies($ports);
    leftovers($ports, $failures);
});
