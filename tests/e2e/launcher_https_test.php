<?php

declare(strict_types=1);

/* The command stampede with https addresses: certificates of files and of development, renewal, redirects, client certificates, and options that cannot be used. */

namespace Stampede\Tests\E2e;

final class launcher_https_test extends EndToEndTest
{
    private static Certificates $certificates;

    public static function setUpBeforeClass(): void
    {
        self::$certificates = new Certificates();
        self::$certificates->sign('shop', 'DNS:shop.example,DNS:*.shop.example');
        self::$certificates->signBelow('below');
        copy(self::path('below.pem'), self::path('chain.pem'));
        file_put_contents(self::path('chain.pem'), file_get_contents(self::path('middle.pem')), FILE_APPEND);
        file_put_contents(self::path('reversed.pem'), file_get_contents(self::path('middle.pem')) . file_get_contents(self::path('below.pem')));
    }

    public function testCertificatesOfFiles(): void
    {
        $app = self::app();
        $port = Server::freePort();
        $redirecting = Server::freePort();
        $options = ['--workers=1', '--env=prod', '--hsts=600', "--listen=https://127.0.0.1:{$port}", "--redirect=http://127.0.0.1:{$redirecting}",
            '--tls-certificate=' . self::path('server.pem') . ',' . self::path('shop.pem'), '--tls-key=' . self::path('server.key'), '--tls-key=' . self::path('shop.key')];
        $this->check('it is served on both addresses', $app->serve($options) && str_contains($app->output(), "https://127.0.0.1:{$port}/"), $app->output());
        $this->check('the start names the address that redirects', str_contains($app->output(), "redirects to https on http://127.0.0.1:{$redirecting}/"), $app->output());
        [$status, $output] = Application::run(['status', $app->folder]);
        $this->check('the status has certificates with their days', $status === 0 && preg_match('/certificate for localhost, 127\.0\.0\.1: \d+ days left/', $output) === 1 && str_contains($output, 'certificate for shop.example'), $output);
        foreach (['--http2' => 'HTTP/2', '--http1.1' => 'HTTP/1.1'] as $version => $protocol) {
            [$status, $fields, $body] = self::curl("https://localhost:{$port}/x?y=z", $version);
            $this->same("{$protocol}: what the application believes of its server", [200, ['on', 'https', (string) $port, $protocol, '/x?y=z']], [$status, json_decode($body, true)]);
            $this->check("{$protocol}: browsers are told to use https alone", preg_match('/^strict-transport-security: max-age=600\r$/mi', $fields) === 1, $fields);
        }
        $this->same('the certificate is chosen by name', ['server', 'shop', 'shop', 'server'], array_map(static fn (string $name): string => self::nameOfCertificate($port, $name), ['localhost', 'shop.example', 'www.shop.example', 'other.example']));
        $this->same('the address without TLS is another one', [200, [null, 'http', (string) $app->port, 'HTTP/1.1', '/']], [($plain = $app->ask('/'))[0], json_decode($plain[2], true)]);
        $this->check('where browsers are told nothing', stripos($plain[1], 'strict-transport') === false, $plain[1]);
        [$status, $fields] = self::curl("http://localhost:{$redirecting}/a%20b?c=d");
        $this->same('a page is redirected', [301, "https://localhost:{$port}/a%20b?c=d"], [$status, self::location($fields)]);
        [$status, $fields] = self::curl("http://localhost:{$redirecting}/form", '--data', 'a=b');
        $this->same('a form is redirected so that it is sent again', [308, "https://localhost:{$port}/form"], [$status, self::location($fields)]);
        [$status, $fields] = self::curl("http://127.0.0.1:{$redirecting}/", '--header', 'Host: a/b');
        $this->same('a host that is none', [400, ''], [$status, self::location($fields)]);
        $this->check('redirects are in the log', Server::until(5.0, static fn (): bool => str_contains($app->output(), '308')), $app->output());
    }

    public function testCertificatesAreRenewed(): void
    {
        $app = self::app();
        $port = Server::freePort();
        foreach (['pem', 'key'] as $kind) {
            copy(self::path("server.{$kind}"), self::path("live.{$kind}"));
        }
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod', "--listen=https://127.0.0.1:{$port}", '--tls-certificate=' . self::path('live.pem'), '--tls-key=' . self::path('live.key')]), $app->output());
        $kept = self::connect($port, 'localhost');
        copy(self::path('alone.pem'), self::path('live.pem')); // its key follows later
        $this->check('a certificate without its key changes nothing', Server::until(30.0, static fn (): bool => str_contains($app->output(), 'the former ones stay in use: The key in')), $app->output());
        $this->same('clients get the former one', 'server', self::nameOfCertificate($port, 'localhost'));
        copy(self::path('alone.key'), self::path('live.key'));
        $this->check('new connections get the new one', Server::until(30.0, static fn (): bool => self::nameOfCertificate($port, 'localhost') === 'localhost'), $app->output());
        fwrite($kept, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        $this->check('a connection from before is served or closed, never cut in a response', in_array(substr((string) fgets($kept), 0, 15), ['HTTP/1.1 200 OK', ''], true));
    }

    public function testClientCertificates(): void
    {
        $app = self::app();
        $port = Server::freePort();
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod', "--listen=https://127.0.0.1:{$port}", '--tls-certificate=' . self::path('server.pem'), '--tls-key=' . self::path('server.key'),
            '--tls-client-ca=' . self::path('ca.pem')]), $app->output());
        $this->same('a client without a certificate is refused', 0, self::curl("https://localhost:{$port}/")[0]);
        $this->same('one with a certificate of the authority is served', 200, self::curl("https://localhost:{$port}/", '--cert', self::path('client.pem'), '--key', self::path('client.key'))[0]);
        $this->same('one of another authority is refused', 0, self::curl("https://localhost:{$port}/", '--cert', self::path('alone.pem'), '--key', self::path('alone.key'))[0]);
    }

    public function testWhatTheApplicationIsToldOfTheClient(): void
    {
        $app = new Application('plain');
        $code = '<?php echo $_SERVER["SSL_CLIENT_VERIFY"] ?? "nobody", " ", $_SERVER["SSL_CLIENT_S_DN"] ?? "", " ", openssl_x509_read($_SERVER["SSL_CLIENT_CERT"] ?? "") !== false ? "read" : "none";';
        file_put_contents("{$app->folder}/public/index.php", $code);
        $port = Server::freePort();
        foreach (['process', 'sequential', 'coroutine'] as $isolation) {
            $this->check('it is served', $app->serve(['--workers=1', '--env=prod', "--isolation={$isolation}", "--listen=https://127.0.0.1:{$port}", '--tls-certificate=' . self::path('server.pem'), '--tls-key=' . self::path('server.key'),
                '--tls-client-ca=' . self::path('ca.pem')]), $app->output());
            foreach (['--http1.1', '--http2'] as $version) {
                $answer = self::curl("https://localhost:{$port}/", $version, '--header', 'SSL_CLIENT_S_DN: CN=root', '--cert', self::path('client.pem'), '--key', self::path('client.key'));
                $this->same("{$isolation}, {$version}: the application knows the client", 'SUCCESS CN=client read', trim($answer[2]));
            }
            $app->stop();
        }
    }

    public function testTheCertificateOfDevelopment(): void
    {
        $app = self::app();
        $home = External::folder();
        $environment = getenv('XDG_DATA_HOME');
        putenv("XDG_DATA_HOME={$home}");
        try {
            foreach (['made', 'kept'] as $how) {
                $port = Server::freePort();
                $this->check("{$how}: it is served", $app->serve(['--workers=1', "--listen=https://127.0.0.1:{$port}"]), $app->output());
                $this->check("{$how}: the start says how to trust it", str_contains($app->output(), "To trust it on this machine: sudo cp {$home}/stampede/tls/localhost.pem"), $app->output());
                $this->same("{$how}: whoever trusts it needs no exception", 200, self::curl("https://localhost:{$port}/", '--cacert', "{$home}/stampede/tls/localhost.pem")[0]);
                $made ??= file_get_contents("{$home}/stampede/tls/localhost.pem");
                $app->stop();
            }
            $this->same('it is the same one', $made, file_get_contents("{$home}/stampede/tls/localhost.pem"));
            $this->same('its key is for the user alone', 0600, fileperms("{$home}/stampede/tls/localhost.key") & 0777);
        } finally {
            putenv($environment === false ? 'XDG_DATA_HOME' : "XDG_DATA_HOME={$environment}");
            exec('rm -rf ' . escapeshellarg($home));
        }
    }

    public function testWhatCannotBeUsed(): void
    {
        $app = self::app();
        file_put_contents(self::path('text.pem'), 'no certificate');
        $https = '--listen=https://127.0.0.1:0';
        $pair = static fn (string $certificate, string $key): array => [$https, '--tls-certificate=' . self::path($certificate), '--tls-key=' . self::path($key)];
        $mistakes = [
            'needs a certificate in production' => [$https],
            'does not belong to the certificate' => $pair('server.pem', 'client.key'),
            'are in the wrong order: "middle" was not issued by "below"' => $pair('reversed.pem', 'middle.key'),
            'it has no certificate in PEM format' => $pair('text.pem', 'server.key'),
            'cannot be read: No such file or directory' => $pair('nothing.pem', 'server.key'),
            'is encrypted: write a file without a passphrase' => $pair('server.pem', 'locked.key'),
            'give one key for each certificate' => [$https, '--tls-certificate=' . self::path('server.pem'), '--tls-key=' . self::path('server.key') . ',' . self::path('client.key')],
            'Two certificates are for the name localhost' => [$https, '--tls-certificate=' . self::path('server.pem') . ',' . self::path('alone.pem'), '--tls-key=' . self::path('server.key') . ',' . self::path('alone.key')],
            'has a certificate and no key: give the file of its key with --tls-key' => [$https, '--tls-certificate=' . self::path('server.pem')],
            'The option "tls-key" has no effect without "tls-certificate"' => [$https, '--tls-key=' . self::path('server.key')],
            'The option "hsts" has no effect: no address of --listen begins with https://' => ['--hsts=5'],
            'The option "redirect" must name addresses without TLS' => [...$pair('server.pem', 'server.key'), '--redirect=https://127.0.0.1:0'],
            'use the option "tls-certificate"' => [...$pair('server.pem', 'server.key'), '--server={"ssl_cert_file":"x"}'],
            '"ftp://127.0.0.1:1" is no address to listen on' => ['--listen=ftp://127.0.0.1:1'],
        ];
        foreach ($mistakes as $sentence => $options) {
            [$status, $output] = Application::run(['serve', $app->folder, '--env=prod', '--log-format=text', ...$options]);
            $this->check("it is refused: {$sentence}", $status === 1 && str_contains((string) preg_replace('/\s+/', ' ', $output), $sentence), $output);
        }
        $this->check('an expired certificate is served', $app->serve(['--workers=1', '--env=prod', ...$pair('expired.pem', 'expired.key')]), $app->output());
        $this->check('and the start says so', str_contains($app->output(), 'has expired at 2020-01-02'), $app->output());
    }

    private static function app(): Application
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", '<?php echo json_encode([$_SERVER["HTTPS"] ?? null, $_SERVER["REQUEST_SCHEME"], $_SERVER["SERVER_PORT"], rtrim($_SERVER["SERVER_PROTOCOL"], ".0") === "HTTP/2" ? "HTTP/2" : $_SERVER["SERVER_PROTOCOL"], $_SERVER["REQUEST_URI"]]);');
        return $app;
    }

    private static function path(string $name): string
    {
        return self::$certificates->path($name);
    }

    /** @return array{int, string, string} status, header fields, body */
    private static function curl(string $url, string ...$options): array
    {
        $command = ['curl', '--silent', '--include', '--max-time', '20', ...(in_array('--cacert', $options, true) ? [] : ['--cacert', self::path('ca.pem')]), ...array_values($options), $url];
        exec(implode(' ', array_map(escapeshellarg(...), $command)), $lines, $status);
        $text = implode("\n", $lines);
        $parts = explode("\r\n\r\n", str_replace("\r\n", "\n", $text) === $text ? str_replace("\n", "\r\n", $text) : $text, 2);
        return $status !== 0 || preg_match('~^HTTP/\S+ (\d+)~', $text, $found) !== 1 ? [0, '', ''] : [(int) $found[1], "{$parts[0]}\r\n", $parts[1] ?? ''];
    }

    private static function location(string $fields): string
    {
        return preg_match('/^location: (.*?)\r?$/mi', $fields, $found) === 1 ? $found[1] : '';
    }

    /** @return resource */
    private static function connect(int $port, string $name)
    {
        $context = stream_context_create(['ssl' => ['peer_name' => $name, 'verify_peer' => false, 'verify_peer_name' => false, 'capture_peer_cert' => true]]);
        return stream_socket_client("ssl://127.0.0.1:{$port}", $number, $text, 20.0, STREAM_CLIENT_CONNECT, $context) ?: throw new \RuntimeException($text);
    }

    private static function nameOfCertificate(int $port, string $name): string
    {
        $options = stream_context_get_options(self::connect($port, $name));
        return openssl_x509_parse($options['ssl']['peer_certificate'])['subject']['CN'];
    }
}
