<?php

declare(strict_types=1);

/* HTTPS: keep-alive, large bodies both ways, client certificates, bad certificates, reloads, peers that do not speak TLS. */

namespace Stampede\Tests\E2e;

final class tls_server_test extends EndToEndTest
{
    private static mixed $stream;
    private static Certificates $certificates;
    private static Server $server;
    private static int $plain;
    private static mixed $live;
    private static mixed $liveKey;
    private static mixed $ca;

    public static function setUpBeforeClass(): void
    {
        self::$certificates = $certificates = new Certificates();
        self::$ca = $certificates->path('ca.pem');
        self::$live = $live = $certificates->path('live.pem');
        self::$liveKey = $liveKey = $certificates->path('live.key');
        copy($certificates->path('server.pem'), $live);
        copy($certificates->path('server.key'), $liveKey);

        self::$plain = $plain = Server::freePort();
        self::$server = $server = new Server('tls_server', ['ssl_cert_file' => $live, 'ssl_key_file' => $liveKey, '_plain' => $plain, 'open_http2_protocol' => true, 'kernel_socket_send_buffer_size' => 65536]);
        self::$stream = self::connect($server->port);
    }

    public function testRequests(): void
    {
        $stream = self::$stream;
        $this->check('the certificate is verified', $stream !== null && self::nameOf($stream) === 'server');
        $this->check('a request', str_starts_with((string) self::ask($stream, '/'), 'secret'));
        $this->same('another on the same connection, with a body', '100000', self::ask($stream, '/length', str_repeat('u', 100_000)));
        $this->same('a large answer', md5(str_repeat('0123456789', 300_000)), md5((string) self::ask($stream, '/big')));
        $this->same('a file', (string) file_get_contents(__DIR__ . '/apps/tls_server.php'), self::ask($stream, '/file'));
    }

    public function testSlowReadersAndBadPeers(): void
    {
        [$certificates, $server, $plain, $stream, $live, $liveKey] = [self::$certificates, self::$server, self::$plain, self::$stream, self::$live, self::$liveKey];
        // Readers slower than the server: what the socket does not take waits, and nothing is lost, doubled or out of order.
        $large = $certificates->path('large.bin');
        file_put_contents($large, random_bytes((6 << 20) + 12345));
        $pieces = implode('', array_map(static fn (int $i): string => str_repeat("$i,", 1 + $i % 997), range(0, 2999)));
        /** @return array{string, string} body, version of HTTP */
        $slowly = static function (string $path, string $option) use (&$server): array {
            $command = "curl -sk $option --limit-rate 8M --max-time 20 -w '%{stderr}%{http_version}' " . escapeshellarg("https://127.0.0.1:$server->port$path");
            $process = proc_open($command, [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes) ?: throw new \RuntimeException('curl cannot be run.');
            $read = [(string) stream_get_contents($pipes[1]), (string) stream_get_contents($pipes[2])];
            proc_close($process);
            return $read;
        };
        foreach (['/file?name=' . rawurlencode($large) => md5_file($large), '/pieces' => md5($pieces), '/big' => md5(str_repeat('0123456789', 300_000))] as $path => $sum) {
            foreach (['--http1.1' => '1.1', '--http2' => '2'] as $option => $version) {
                [$body, $spoken] = $slowly($path, $option);
                $this->same("$path read slowly with HTTP/$version", [$sum, $version], [md5($body), $spoken]);
            }
        }
        foreach (['--http1.1', '--http2'] as $option) {
            $letters = count_chars($slowly('/together', $option)[0], 1);
            $this->same("three coroutines write one answer, each waits for the reader ($option)", [97 => 3_000_000, 98 => 3_000_000, 99 => 3_000_000], $letters);
        }
        $peer = new Peer("tcp://127.0.0.1:$plain");
        $peer->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $this->check('a port without TLS beside it', str_starts_with(($peer->answers(1)[0] ?? null)->body ?? '', 'secret'));
        foreach (['plain HTTP' => "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 'garbage' => str_repeat("\x16\x03\x01garbage", 50), 'a hello cut short' => "\x16\x03\x01\x02\x00\x01"] as $name => $bytes) {
            $bad = new Peer($server->address());
            $bad->send([$bytes]);
            $bad->finishSending();
            $bad->readToEnd();
            $this->check("$name on the TLS port ends the connection", $bad->ended());
        }
        $this->check('and harms nobody', str_starts_with((string) self::ask($stream, '/'), 'secret'));

        // Reloads: the running request is finished, new connections see the new certificate, a broken one changes nothing.
        $slow = self::connect($server->port);
        $first = $server->workerPid();
        fwrite($slow ?? STDERR, "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
        copy($certificates->path('alone.pem'), $live);
        copy($certificates->path('alone.key'), $liveKey);
        posix_kill($server->pid(), SIGUSR1);
        $seen = Server::until(10.0, static function () use ($server): bool {
            $stream = self::connect($server->port, ['verify_peer' => false, 'verify_peer_name' => false]);
            return $stream !== null && self::nameOf($stream) === 'localhost';
        });
        $this->check('a reload brings the new certificate', $seen);
        stream_set_timeout($slow ?? STDIN, 10);
        $this->check('the request under way is answered', str_contains((string) stream_get_contents($slow ?? STDIN, 12), 'HTTP/1.1 200'));
        file_put_contents($live, 'no certificate');
        $before = $server->workerPid();
        posix_kill($server->pid(), SIGUSR1);
        $this->check('a broken certificate is logged', Server::until(10.0, static fn (): bool => str_contains($server->output(), 'stays as it was')), $server->output());
        $this->check('and the workers are replaced all the same', Server::until(10.0, static fn (): bool => $server->workerPid() !== $before));
        $stream = self::connect($server->port, ['verify_peer' => false, 'verify_peer_name' => false]);
        $this->check('with the certificate they had', str_starts_with((string) self::ask($stream, '/'), 'secret'));
        $this->same('it ends well', 0, $server->stop());
    }

    public function testClientCertificates(): void
    {
        [$certificates, $ca] = [self::$certificates, self::$ca];
        $server = new Server('tls_server', ['ssl_cert_file' => $certificates->path('server.pem'), 'ssl_key_file' => $certificates->path('server.key'),
            'ssl_verify_peer' => true, 'ssl_client_cert_file' => $ca]);
        $this->check('without a client certificate there is no answer', self::ask(self::connect($server->port), '/') === null);
        $this->check('with one there is', str_starts_with((string) self::ask(self::connect($server->port, ['local_cert' => $certificates->path('client.pem'), 'local_pk' => $certificates->path('client.key')]), '/'), 'secret'));
        $this->check('with one of a stranger there is not', self::ask(self::connect($server->port, ['local_cert' => $certificates->path('alone.pem'), 'local_pk' => $certificates->path('alone.key')]), '/') === null);
        $server->stop();
    }

    public function testAnExpiredCertificate(): void
    {
        [$certificates, $live, $liveKey] = [self::$certificates, self::$live, self::$liveKey];
        $server = new Server('tls_server', ['ssl_cert_file' => $certificates->path('expired.pem'), 'ssl_key_file' => $certificates->path('expired.key')]);
        $this->check('an expired certificate: the server serves', str_starts_with((string) self::ask(self::connect($server->port, ['verify_peer' => false, 'verify_peer_name' => false]), '/'), 'secret'));
        $this->check('... and says so at its start', Server::until(5.0, static fn (): bool => preg_match('/ERROR\t[^\n]*expired on 2020-01-02: clients refuse it/', $server->output()) === 1), $server->output());
        $server->stop();
        copy($certificates->path('server.pem'), $live);
        copy($certificates->path('server.key'), $liveKey);
        $server = new Server('tls_server', ['ssl_cert_file' => $live, 'ssl_key_file' => $liveKey]);
        $this->check('a good certificate', str_starts_with((string) self::ask(self::connect($server->port), '/'), 'secret'));
        copy($certificates->path('expired.pem'), $live);
        copy($certificates->path('expired.key'), $liveKey);
        posix_kill($server->pid(), SIGUSR1);
        $this->check('a reload takes no expired one for a good one', Server::until(10.0, static fn (): bool => preg_match('/stays as it was: [^\n]*expired on/', $server->output()) === 1), $server->output());
        $server->stop();
    }

    public function testSettingsThatAreRefused(): void
    {
        $certificates = self::$certificates;
        $refusals = [
            'no certificate' => [[], 'set ssl_cert_file'],
            'a missing file' => [['ssl_cert_file' => '/nowhere.pem', 'ssl_key_file' => '/nowhere.key'], '/nowhere.pem'],
            'a key of another certificate' => [['ssl_cert_file' => $certificates->path('server.pem'), 'ssl_key_file' => $certificates->path('alone.key')], 'server.pem'],
            'a wrong passphrase' => [['ssl_cert_file' => $certificates->path('server.pem'), 'ssl_key_file' => $certificates->path('locked.key'), 'ssl_passphrase' => 'wrong'], 'locked.key'],
        ];
        foreach ($refusals as $name => [$settings, $text]) {
            $program = new Companion(Companion::php('tls_server.php', (string) Server::freePort(), json_encode($settings, JSON_THROW_ON_ERROR)));
            $status = $program->waitForEnd(20.0);
            $this->check("$name stops the start with one sentence", $status === 0 && preg_match('/^refused: [^\n]*' . preg_quote($text, '/') . '[^\n]*\n$/', $program->output()) === 1, $program->output());
        }
    }

    /**
     * @param array<string, mixed> $options
     * @return resource|null
     */
    private static function connect(int $port, array $options = [])
    {
        $ca = self::$ca;
        $context = stream_context_create(['ssl' => $options + ['cafile' => $ca, 'peer_name' => 'localhost', 'capture_peer_cert' => true]]);
        $stream = @stream_socket_client("tls://127.0.0.1:$port", $code, $message, 10.0, STREAM_CLIENT_CONNECT, $context);
        return $stream === false ? null : $stream;
    }

    /** @param resource|null $stream */
    private static function ask($stream, string $path, string $body = '', bool $close = false): ?string
    {
        if ($stream === null) {
            return null;
        }
        stream_set_timeout($stream, 10);
        @fwrite($stream, ($body === '' ? 'GET' : 'POST') . " $path HTTP/1.1\r\nHost: localhost\r\n" . ($close ? "Connection: close\r\n" : '')
            . ($body === '' ? '' : 'Content-Length: ' . strlen($body) . "\r\n") . "\r\n$body");
        $length = 0;
        while (($line = @fgets($stream)) !== false && $line !== "\r\n") {
            if (sscanf(strtolower($line), 'content-length: %d', $found) === 1) {
                $length = (int) $found;
            }
        }
        return $line === false ? null : (string) @stream_get_contents($stream, $length);
    }

    /** @param resource $stream */
    private static function nameOf($stream): string
    {
        return (string) (openssl_x509_parse(stream_context_get_params($stream)['options']['ssl']['peer_certificate'])['subject']['CN'] ?? '');
    }
}
