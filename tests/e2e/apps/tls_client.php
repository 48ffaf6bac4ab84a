<?php

declare(strict_types=1);

/*
 * What clients and sockets do with TLS. Prints a JSON line for each check.
 * usage: tls_client.php FOLDER-OF-CERTIFICATES PORTS-OF-S_SERVER-AS-JSON
 */

namespace Stampede\Tests\E2e\TlsClient;

use Closure;
use Swoole\Coroutine;
use Swoole\Coroutine\Client;
use Swoole\Coroutine\Socket;

const TLS_CONTEXT_FAILED = 1019;  // SWOOLE_ERROR_SSL_CREATE_CONTEXT_FAILED

$folder = $argv[1];
/** @var array<string, int> $ports */
$ports = json_decode($argv[2], true);

function same(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(compact('name', 'expected', 'actual'), JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}

/** @param array<string, mixed> $settings */
function connected(int $port, array $settings, string $host = 'localhost'): Client
{
    $client = new Client(SWOOLE_SOCK_TCP | SWOOLE_SSL);
    $client->set($settings + ['timeout' => 10, 'open_eof_check' => true, 'package_eof' => "\n"]);
    $client->connect($host, $port);
    return $client;
}

/** @return array{bool, int, string} */
function outcome(Client $client): array
{
    return [$client->isConnected(), $client->errCode, $client->errMsg];
}

/** @return array{mixed, mixed} */
function reversed(Client $client): array
{
    return [$client->send("hello\n"), $client->recv()];
}

/** @param array<string, int> $ports */
function verification(array $ports, string $folder): void
{
    $trusting = ['ssl_verify_peer' => true, 'ssl_cafile' => "$folder/ca.pem"];
    $talks = [6, "olleh\n"];
    $refused = static fn (string $why): array => [false, SWOOLE_ERROR_SSL_VERIFY_FAILED, "The peer's certificate is refused: $why."];
    same('a good certificate, by name', $talks, reversed(connected($ports['server'], $trusting)));
    same('by address', $talks, reversed(connected($ports['server'], $trusting, '127.0.0.1')));
    same('by another name that is told', $talks, reversed(connected($ports['server'], $trusting + ['ssl_host_name' => 'localhost'], '127.0.0.1')));
    same('a wrong name', $refused('hostname mismatch'), outcome(connected($ports['server'], $trusting + ['ssl_host_name' => 'example.com'])));
    same('an authority that is not known', $refused('unable to get local issuer certificate'), outcome(connected($ports['server'], ['ssl_verify_peer' => true])));
    same('no verification', $talks, reversed(connected($ports['server'], [])));
    same('an expired certificate', $refused('certificate has expired'), outcome(connected($ports['expired'], $trusting)));
    same('one that signed itself', $refused('self-signed certificate'), outcome(connected($ports['alone'], $trusting)));
    $lenient = $trusting + ['ssl_allow_self_signed' => true];
    same('when that is allowed', $talks, reversed(connected($ports['alone'], $lenient)));
    same('but not for another name', false, connected($ports['alone'], $lenient + ['ssl_host_name' => 'example.com'])->isConnected());
    $client = connected($ports['alone'], []);
    same('the certificate can be looked at', true, str_contains((string) $client->getPeerCert(), 'BEGIN CERTIFICATE'));
    same('and judged later', [false, SWOOLE_ERROR_SSL_VERIFY_FAILED, true], [$client->verifyPeerCert(), $client->errCode, $client->verifyPeerCert(true)]);
    same('the versions can be limited', $talks, reversed(connected($ports['server'], $trusting + ['ssl_protocols' => SWOOLE_SSL_TLSv1_2])));
    same('the ciphers too', $talks, reversed(connected($ports['server'], $trusting + ['ssl_ciphers' => 'ECDHE-ECDSA-AES128-GCM-SHA256'])));
    same('a protocol that both know', $talks, reversed(connected($ports['alpn'], $trusting + ['ssl_alpn' => 'http/1.1,h2'])));
    same('and none', [false, SWOOLE_ERROR_SSL_HANDSHAKE_FAILED], array_slice(outcome(connected($ports['alpn'], $trusting + ['ssl_alpn' => ['other']])), 0, 2));
}

/** @param array<string, int> $ports */
function client_certificates(array $ports, string $folder): void
{
    $trusting = ['ssl_verify_peer' => true, 'ssl_cafile' => "$folder/ca.pem"];
    $without = connected($ports['demanding'], $trusting);
    same('a server that wants a certificate gets none', false, reversed($without)[1]);
    $with = $trusting + ['ssl_cert_file' => "$folder/client.pem", 'ssl_key_file' => "$folder/client.key"];
    same('and gets one', [6, "olleh\n"], reversed(connected($ports['demanding'], $with)));
    $files = ['ssl_cert_file' => "$folder/server.pem", 'ssl_key_file' => "$folder/locked.key"];
    foreach (['missing' => [], 'wrong' => ['ssl_passphrase' => 'guess']] as $why => $more) {
        $text = "The key file \"$folder/locked.key\" is encrypted: ssl_passphrase is $why.";
        same("the passphrase is $why", [false, TLS_CONTEXT_FAILED, $text], outcome(connected($ports['server'], $files + $more)));
    }
    same('the passphrase is right', [6, "olleh\n"], reversed(connected($ports['server'], $files + ['ssl_passphrase' => 'secret'])));
    $mixed = ['ssl_cert_file' => "$folder/server.pem", 'ssl_key_file' => "$folder/client.key"];
    same('a key of another certificate', TLS_CONTEXT_FAILED, connected($ports['server'], $mixed)->errCode);
}

/** Listens with TLS and gives each connection to the function. */
function serve(string $folder, Closure $handle, bool $demanding = false): Socket
{
    $listener = new Socket(AF_INET, SOCK_STREAM, 0);
    $listener->bind('127.0.0.1', 0);
    $listener->listen();
    $files = ['ssl_cert_file' => "$folder/server.pem", 'ssl_key_file' => "$folder/server.key"];
    $verification = $demanding ? ['ssl_verify_peer' => true, 'ssl_client_cert_file' => "$folder/ca.pem"] : [];
    $listener->setProtocol(['open_ssl' => true, 'ssl_alpn' => ['h2', 'http/1.1']] + $files + $verification);
    go(static function () use ($listener, $handle): void {
        while ($connection = $listener->accept(-1)) {
            go($handle, $connection);
        }
    });
    return $listener;
}

function server(string $folder): void
{
    $listener = serve($folder, static function (Socket $connection): void {
        if ($connection->sslHandshake()) {
            while (($bytes = $connection->recv(65536, 20)) !== '' && $bytes !== false) {
                $connection->sendAll($bytes, 20);
            }
        }
        $connection->close();
    });
    $port = $listener->getsockname()['port'];
    $said = Coroutine::exec("echo Q | timeout 20 openssl s_client -connect 127.0.0.1:$port -alpn http/1.1,h2 -verify_return_error -CAfile $folder/ca.pem 2>&1");
    $output = (string) $said['output'];
    same('openssl s_client is a client of a Coroutine\Socket', [0, true], [$said['code'], str_contains($output, 'Verify return code: 0 (ok)')]);
    same('which picks the protocol', true, str_contains($output, 'ALPN protocol: h2'));
    $client = connected($port, ['ssl_verify_peer' => true, 'ssl_cafile' => "$folder/ca.pem"]);
    same('so is a Coroutine\Client', [6, "hello\n"], reversed($client));
    $socket = $client->exportSocket();
    $bytes = random_bytes(3_000_000);
    $back = new Coroutine\Channel();
    go(static fn () => $back->push($socket->recvAll(strlen($bytes), 20) === $bytes));
    same('3 MB go out', strlen($bytes), $socket->sendAll($bytes, 20));
    same('and come back meanwhile', true, $back->pop(20));
    $parts = ['a', str_repeat('b', 40_000), 'c'];
    same('a vector goes out', 40_002, $socket->writeVectorAll($parts));
    same('and comes back', $parts, $socket->readVectorAll([1, 40_000, 1], 10));
    file_put_contents("$folder/file", substr($bytes, 0, 100_000));
    same('a file goes out', [true, true], [$socket->sendFile("$folder/file"), $socket->recvAll(100_000, 10) === substr($bytes, 0, 100_000)]);
    $socket->send('one two');
    same('a record fills all parts that it can', ['one', ' ', 'two'], $socket->readVector([3, 1, 10], 10));
    $socket->send('peek');
    same('peek() takes nothing', ['peek', 'peek'], [peeked($socket), $socket->recv(65536, 10)]);
    same('a live connection is seen', true, $socket->checkLiveness());
    $client->close();
    $plain = new Client(SWOOLE_SOCK_TCP);
    $plain->connect('127.0.0.1', $port, 10);
    $plain->send("GET / HTTP/1.0\r\n\r\n");
    same('a client without TLS gets no plain text', false, str_contains((string) $plain->recv(10), 'GET'));
    $listener->close();
}

function peeked(Socket $socket): string
{
    $deadline = microtime(true) + 10;
    while (($seen = (string) $socket->peek()) === '' && microtime(true) < $deadline) {
        Coroutine::sleep(0.002);
    }
    return $seen;
}

function demanding_server(string $folder): void
{
    $seen = new Coroutine\Channel(4);
    $listener = serve($folder, static function (Socket $connection) use ($seen): void {
        $seen->push([$connection->sslHandshake(), $connection->errCode]);
    }, demanding: true);
    $port = $listener->getsockname()['port'];
    connected($port, []);
    same('a server that demands certificates refuses clients without', [false, SWOOLE_ERROR_SSL_HANDSHAKE_FAILED], $seen->pop(10));
    connected($port, ['ssl_cert_file' => "$folder/client.pem", 'ssl_key_file' => "$folder/client.key"]);
    same('and takes those with', [true, 0], $seen->pop(10));
    connected($port, ['ssl_cert_file' => "$folder/alone.pem", 'ssl_key_file' => "$folder/alone.key"]);
    same('but not from everybody', [false, SWOOLE_ERROR_SSL_HANDSHAKE_FAILED], $seen->pop(10));
    $listener->close();
}

/** STARTTLS: plain first, then TLS on the same connection. */
function upgrade(string $folder): void
{
    $listener = serve($folder, static function (Socket $connection): void {
        $connection->recvLine(100, 10);
        $connection->send("GO\n");
        $connection->sslHandshake();
        $connection->send(strtoupper((string) $connection->recv(100, 10)));
    });
    $client = new Client(SWOOLE_SOCK_TCP);
    $client->set(['ssl_verify_peer' => true, 'ssl_cafile' => "$folder/ca.pem", 'timeout' => 10]);
    $client->connect('localhost', $listener->getsockname()['port']);
    $client->send("STARTTLS\n");
    same('plain first', "GO\n", $client->recv());
    same('then TLS', [true, 3, 'ABC'], [$client->enableSSL(), $client->send('abc'), $client->recv()]);
    $listener->close();
}

/** Wrong certificates leave nothing behind either. */
function leftovers(int $port): void
{
    $fail = static function () use ($port): void {
        connected($port, ['ssl_verify_peer' => true]);
    };
    $inventory = static function (): array {
        gc_collect_cycles();
        preg_match('/^VmRSS:\s+(\d+)/m', (string) file_get_contents('/proc/self/status'), $found);
        return [count(scandir('/proc/self/fd') ?: []), (int) ($found[1] ?? 0)];
    };
    for ($i = 0; $i < 100; $i++) {
        $fail();
    }
    [$fds, $resident] = $inventory();
    for ($i = 0; $i < 1000; $i++) {
        $fail();
    }
    [$fds_after, $resident_after] = $inventory();
    same('1000 refused certificates leave no descriptor', $fds, $fds_after);
    same('and no memory', 0, max(0, $resident_after - $resident - 1500));
}

/** @param array<string, int> $ports */
function blocking(array $ports, string $folder): void
{
    $client = new \Swoole\Client(SWOOLE_SOCK_TCP | SWOOLE_SSL);
    $client->set(['ssl_verify_peer' => true, 'ssl_cafile' => "$folder/ca.pem"]);
    same('the blocking client speaks TLS', [true, 6, "olleh\n"], [$client->connect('localhost', $ports['server'], 10), $client->send("hello\n"), $client->recv()]);
    $client->close();
    $client->set(['ssl_host_name' => 'example.com']);
    same('and verifies', [false, SWOOLE_ERROR_SSL_VERIFY_FAILED], [@$client->connect('localhost', $ports['server'], 10), $client->errCode]);
}

blocking($ports, $folder);
Coroutine\run(static function () use ($ports, $folder): void {
    verification($ports, $folder);
    client_certificates($ports, $folder);
    server($folder);
    demanding_server($folder);
    upgrade($folder);
    leftovers($ports['alone']);
});
