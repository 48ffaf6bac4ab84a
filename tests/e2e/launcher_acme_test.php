<?php

declare(strict_types=1);

/* The command stampede with certificates of an authority: a real one (pebble), which refuses half of the numbers of requests and proves every name anew. */

namespace Stampede\Tests\E2e;

final class launcher_acme_test extends EndToEndTest
{
    private const NAME = 'www.shop.test';
    private const SECRET = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W'; // for the account that the authority knows
    private static Certificates $certificates;

    public static function setUpBeforeClass(): void
    {
        self::$certificates = new Certificates();
    }

    public function testACertificateIsMadeAndRenewed(): void
    {
        [$authority, $directory, $http] = self::authority(['PEBBLE_WFE_NONCEREJECT' => '50', 'PEBBLE_AUTHZREUSE' => '0']);
        $app = new Application('plain');
        $port = Server::freePort();
        $folder = "{$app->folder}/acme";
        $options = ['--workers=2', '--env=prod', "--listen=https://127.0.0.1:{$port}", "--redirect=http://127.0.0.1:{$http}", '--acme=' . self::NAME, "--acme-directory={$directory}", "--acme-folder={$folder}", '--acme-email=a@shop.test'];
        $this->check('it is served before there is a certificate', self::serve($app, $options), $app->output());
        $this->check('the authority makes one', Server::until(60.0, static fn (): bool => str_contains($app->output(), 'The authority has made a certificate')), $app->output());
        $this->check('clients get it', Server::until(30.0, static fn (): bool => str_starts_with(self::issuer($port), 'Pebble')), self::issuer($port) . "\n" . $app->output());
        [$file] = glob("{$folder}/*/" . self::NAME . '.pem') ?: [''];
        $first = openssl_x509_parse((string) file_get_contents($file))['serialNumber']; // workers that are not replaced yet have the one before
        $this->same('its key and that of the account are for this user alone', [0600, 0600, 0700], array_map(static fn (string $path): int => fileperms($path) & 0777, [$file, dirname($file) . '/account.key', dirname($file)]));
        $app->stop();
        $this->check('a server that starts again has it', self::serve($app, $options) && self::serial($port) === $first, $app->output());
        $app->stop();
        // As if its time had come: what is there is of another authority.
        copy(self::$certificates->path('alone.pem'), $file);
        file_put_contents($file, file_get_contents(self::$certificates->path('alone.key')), FILE_APPEND);
        $failed = 0;
        $this->check('one that cannot be used any more is served', self::serve($app, $options), $app->output());
        $this->check('and replaced while clients connect', Server::until(60.0, static function () use ($port, &$failed): bool {
            $issuer = self::issuer($port);
            $failed += $issuer === '' ? 1 : 0;
            return str_starts_with($issuer, 'Pebble');
        }), $app->output());
        $this->same('no handshake fails', 0, $failed);
        $this->check('by another one', self::serial($port) !== $first);
        unset($authority);
    }

    public function testTheProofInTheHandshake(): void
    {
        $port = Server::freePort();
        [$authority, $directory] = self::authority(['PEBBLE_AUTHZREUSE' => '0'], tls: $port);
        $app = new Application('plain');
        $options = ['--workers=2', '--env=prod', "--listen=https://127.0.0.1:{$port}", '--acme=' . self::NAME . ',shop.test', "--acme-directory={$directory}", "--acme-folder={$app->folder}/acme"];
        if (posix_geteuid() === 0) {
            $options[] = '--user=nobody';
        }
        $this->check('it is served', self::serve($app, $options), $app->output());
        $this->check('without an address for http the authority makes a certificate for all names', Server::until(60.0, static fn (): bool => str_contains($app->output(), 'The authority has made a certificate')), $app->output());
        $this->check('clients get it', Server::until(30.0, static fn (): bool => str_starts_with(self::issuer($port), 'Pebble')), self::issuer($port) . "\n" . $app->output());
        exec('openssl s_client -connect 127.0.0.1:' . $port . ' -servername ../../x -alpn acme-tls/1 </dev/null 2>&1', $lines);
        $this->check('who asks for a proof that there is not is refused', preg_match('/alert|handshake failure/i', implode("\n", $lines)) === 1, implode("\n", $lines));
        $this->same('no proof is left', [], glob(sys_get_temp_dir() . '/stampede-proofs-*/' . self::NAME . '.pem') ?: []);
        unset($authority);
    }

    public function testAnAuthorityThatRefuses(): void
    {
        [$authority, $directory, $http] = self::authority([], isBound: true);
        $app = new Application('plain');
        $options = ['--workers=1', '--env=prod', '--listen=https://127.0.0.1:0', "--redirect=http://127.0.0.1:{$http}", '--acme=' . self::NAME, "--acme-folder={$app->folder}/acme"];
        $this->check('it is served', self::serve($app, [...$options, "--acme-directory={$directory}"]), $app->output());
        $this->check('what the authority says is in the log, and when the next try is', Server::until(60.0, static fn (): bool => preg_match('/No certificate for www\.shop\.test: The authority refuses: .*externalAccountBinding.* The next try is at \d{4}-/i', $app->output()) === 1), $app->output());
        $this->same('the application is served', 200, $app->ask('/')[0]);
        $app->stop();
        $this->check('with the account that it asks for', self::serve($app, [...$options, "--acme-directory={$directory}", "--acme-external-account=kid-1:" . self::SECRET]), $app->output());
        $this->check('it makes one', Server::until(60.0, static fn (): bool => str_contains($app->output(), 'The authority has made a certificate')), $app->output());
        $app->stop();
        unset($authority);
        exec('rm -rf ' . escapeshellarg("{$app->folder}/acme"));
        $this->check('without an authority it is served', self::serve($app, [...$options, "--acme-directory={$directory}"]), $app->output());
        $this->check('that it cannot be reached is in the log', Server::until(60.0, static fn (): bool => str_contains($app->output(), 'cannot be reached')), $app->output());
        $app->stop();
        foreach (['cannot do: name each host' => ['--acme=*.shop.test'], 'is no public host name' => ['--acme=localhost'], 'a URL that begins with https://' => ['--acme=a.test', '--acme-directory=ftp://a'], 'KEY-ID:SECRET' => ['--acme=a.test', '--acme-external-account=x'], 'has no effect without --acme' => ['--acme-email=x@a.test']] as $sentence => $wrong) {
            [$status, $output] = Application::run(['serve', $app->folder, '--env=prod', '--log-format=text', '--listen=https://127.0.0.1:0', "--acme-folder={$app->folder}/acme", ...$wrong]);
            $this->check("it is refused: {$sentence}", $status === 1 && str_contains((string) preg_replace('/\s+/', ' ', $output), $sentence), $output);
        }
    }

    /** The client trusts the authority's own address. @param list<string> $options */
    private static function serve(Application $app, array $options): bool
    {
        putenv('SSL_CERT_FILE=' . self::$certificates->path('ca.pem'));
        try {
            return $app->serve($options);
        } finally {
            putenv('SSL_CERT_FILE');
        }
    }

    /**
     * @param array<string, string> $environment
     * @return array{list<External>, string, int} the authority, its directory, and the port on which it asks servers for proofs
     */
    private static function authority(array $environment, bool $isBound = false, int $tls = 1): array
    {
        $folder = External::folder();
        [$port, $management, $http, $dns, $control] = array_map(static fn (): int => Server::freePort(), range(1, 5));
        $settings = ['listenAddress' => "127.0.0.1:{$port}", 'managementListenAddress' => "127.0.0.1:{$management}", 'certificate' => self::$certificates->path('server.pem'), 'privateKey' => self::$certificates->path('server.key'),
            'httpPort' => $http, 'tlsPort' => $tls, 'externalAccountBindingRequired' => $isBound, 'externalAccountMACKeys' => $isBound ? ['kid-1' => self::SECRET] : new \stdClass()];
        file_put_contents("{$folder}/settings.json", json_encode(['pebble' => $settings]));
        // Every name leads to this machine.
        $names = new External(['pebble-challtestsrv', '-defaultIPv4', '127.0.0.1', '-defaultIPv6', '', '-dns01', "127.0.0.1:{$dns}", '-http01', '', '-https01', '', '-tlsalpn01', '', '-management', "127.0.0.1:{$control}"], External::folder(), "tcp://127.0.0.1:{$control}");
        $variables = array_map(static fn (string $name, string $value): string => "{$name}={$value}", array_keys($environment), $environment);
        $authority = new External(['env', 'PEBBLE_VA_NOSLEEP=1', ...$variables, 'pebble', '-config', "{$folder}/settings.json", '-dnsserver', "127.0.0.1:{$dns}"], $folder, "tcp://127.0.0.1:{$port}");
        return [[$authority, $names], "https://localhost:{$port}/dir", $http];
    }

    private static function issuer(int $port): string
    {
        return self::certificate($port)['issuer']['CN'] ?? '';
    }

    private static function serial(int $port): string
    {
        return self::certificate($port)['serialNumber'] ?? '';
    }

    /** @return array<string, mixed> */
    private static function certificate(int $port): array
    {
        $context = stream_context_create(['ssl' => ['peer_name' => self::NAME, 'verify_peer' => false, 'verify_peer_name' => false, 'capture_peer_cert' => true]]);
        $stream = @stream_socket_client("ssl://127.0.0.1:{$port}", $number, $text, 20.0, STREAM_CLIENT_CONNECT, $context);
        return $stream === false ? [] : (openssl_x509_parse(stream_context_get_options($stream)['ssl']['peer_certificate']) ?: []);
    }
}
