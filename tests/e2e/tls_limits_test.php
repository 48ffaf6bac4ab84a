<?php

declare(strict_types=1);

/*
 * TLS with peers of every kind: old protocols, weak ciphers, odd hellos, names, tickets, stapling, silence, half-broken connections.
 * With openssl s_client, and byte by byte where it does not show enough.
 */

namespace Stampede\Tests\E2e;

final class tls_limits_test extends EndToEndTest
{
    private static Certificates $certificates;
    private static Server $server;

    public static function setUpBeforeClass(): void
    {
        self::$certificates = $certificates = new Certificates();
        $certificates->sign('other', 'DNS:other.example');
        $certificates->sign('wild', 'DNS:*.wild.example');
        self::$server = new Server('http2', self::of('server') + [
            'worker_num' => 2, 'http_header_timeout' => 2, 'http_linger_timeout' => 0.5, 'ssl_stapling_file' => $certificates->staple('server'),
            'ssl_sni_certs' => ['other.example' => self::of('other'), '*.wild.example' => self::of('wild')],
        ]);
    }

    public function testProtocolsAndCiphers(): void
    {
        foreach (['-tls1_2' => true, '-tls1_3' => true, '-tls1' => false, '-tls1_1' => false] as $option => $expected) {
            $this->same("$option " . ($expected ? 'works' : 'is refused'), $expected, self::works(self::client("$option -cipher ALL:@SECLEVEL=0")));
        }
        foreach (['NULL', 'aNULL', 'RC4', 'EXPORT', 'DES-CBC3-SHA', 'AES128-SHA', 'ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA', 'kRSA'] as $cipher) {
            $this->check("TLS 1.2 with $cipher is refused", !self::works(self::client("-tls1_2 -cipher $cipher:@SECLEVEL=0")));
        }
        $this->check('TLS 1.2 with ECDHE and AEAD works', self::works(self::client('-tls1_2 -cipher ECDHE-ECDSA-AES128-GCM-SHA256')));
        $this->check('a hello with a good suite is answered', self::agrees("\xc0\x2b"));
        foreach (['NULL' => "\0\x01\0\x02\0\x3b\xc0\x06", 'anonymous' => "\0\x18\0\x34\xc0\x18\xc0\x19", 'RC4' => "\0\x04\0\x05\xc0\x07\xc0\x11", 'export' => "\0\x03\0\x06\0\x08", '3DES' => "\0\x0a\xc0\x08"] as $kind => $suites) {
            $this->check("a hello that offers $kind only is not", !self::agrees($suites));
        }
    }

    public function testSuitesThatTheSettingsAllow(): void
    {
        $folder = sys_get_temp_dir() . '/stampede-rsa-' . getmypid();
        shell_exec("openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost -keyout $folder.key -out $folder.pem 2>/dev/null");
        $certificate = ['ssl_cert_file' => "$folder.pem", 'ssl_key_file' => "$folder.key"];
        $usual = new Server('http2', $certificate);
        $this->check('keys by RSA are refused', !self::works(self::client('-tls1_2 -cipher AES128-GCM-SHA256:AES128-SHA', '', $usual)));
        $this->check('fresh keys with an RSA certificate work', self::works(self::client('-tls1_2 -cipher ECDHE-RSA-AES128-GCM-SHA256', '', $usual)));
        $this->check('so do those of DHE', self::works(self::client('-tls1_2 -cipher DHE-RSA-AES128-GCM-SHA256', '', $usual)));
        $allowing = new Server('http2', $certificate + ['ssl_ciphers' => 'DEFAULT']);
        $this->check('ssl_ciphers allows them', self::works(self::client('-tls1_2 -cipher AES128-GCM-SHA256', '', $allowing)));
        $this->check('and CBC', self::works(self::client('-tls1_2 -cipher ECDHE-RSA-AES128-SHA256', '', $allowing)));
        array_map(unlink(...), ["$folder.key", "$folder.pem"]);
        unset($usual, $allowing);
    }

    public function testAClientOffersNoOtherSuites(): void
    {
        $port = Server::freePort();
        $certificate = self::of('server');
        $old = proc_open(['openssl', 's_server', '-accept', (string) $port, '-tls1_2', '-cipher', 'ECDHE-ECDSA-AES128-SHA256', '-cert', $certificate['ssl_cert_file'], '-key', $certificate['ssl_key_file'], '-quiet'],
            [['pipe', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes);
        Server::until(10.0, static fn (): bool => @stream_socket_client("tcp://127.0.0.1:$port") !== false);
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        $connects = static function (array $settings) use ($port, $module): string {
            $script = 'Swoole\Coroutine\run(function () { $client = new Swoole\Coroutine\Client(SWOOLE_SOCK_TCP | SWOOLE_SSL); $client->set(json_decode($GLOBALS["argv"][2], true)); echo json_encode(@$client->connect("127.0.0.1", (int) $GLOBALS["argv"][1], 5.0)); });';
            return (string) shell_exec(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', '-d', "extension=$module", '-r', $script, '--', (string) $port, json_encode($settings)])) . ' 2>/dev/null');
        };
        $this->same('a server with CBC suites alone is not spoken to', 'false', $connects(['ssl_verify_peer' => false]));
        $this->same('unless the settings say so', 'true', $connects(['ssl_verify_peer' => false, 'ssl_ciphers' => 'DEFAULT']));
        proc_terminate($old, SIGKILL);
        proc_close($old);
    }

    public function testRenegotiation(): void
    {
        $server = self::$server;
        $said = '';
        $asks = proc_open('timeout 20 openssl s_client -tls1_2 -connect 127.0.0.1:' . $server->port . ' 2>&1', [['pipe', 'r'], ['pipe', 'w']], $pipes);
        stream_set_blocking($pipes[1], false);
        $hears = static function (string $what) use ($pipes, &$said): bool {
            return Server::until(10.0, static function () use ($pipes, $what, &$said): bool {
                $said .= (string) fread($pipes[1], 65536);
                return str_contains($said, $what) || feof($pipes[1]);
            });
        };
        $hears('Verify return code');
        fwrite($pipes[0], "R\n");
        $hears('no renegotiation');
        $this->check('the server lets nobody renegotiate', str_contains($said, 'RENEGOTIATING') && str_contains($said, 'no renegotiation'), $said);
        proc_close($asks);
    }

    public function testCertificatesAndProtocolsByName(): void
    {
        foreach (['other.example' => 'other', 'OTHER.Example' => 'other', 'a.wild.example' => 'wild', 'a.b.wild.example' => 'server', 'wild.example' => 'server', 'localhost' => 'server',
            'unknown.example' => 'server', str_repeat('n', 63) . '.' . str_repeat('m', 63) . '.' . str_repeat('o', 63) . '.example' => 'server'] as $host => $expected) {
            $this->same('the certificate for ' . substr($host, 0, 20), $expected, self::nameOf(self::client("-servername $host")));
        }
        $this->same('... and without a name', 'server', self::nameOf(self::client('-noservername')));
        foreach (['h2' => 'h2', 'http/1.1' => 'http/1.1', 'h2,http/1.1' => 'h2', 'http/1.1,h2' => 'h2'] as $offered => $expected) {
            $this->check("ALPN $offered -> $expected", str_contains(self::client("-alpn $offered"), "ALPN protocol: $expected"));
        }
        $said = self::client('-alpn spdy/3 -ign_eof', "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        $this->check('ALPN with nothing in common is HTTP/1.1', str_contains($said, 'No ALPN negotiated') && str_contains($said, 'HTTP/1.1 200'), $said);
        $said = self::client('-servername other.example -alpn h2');
        $this->check('... also beside another certificate', str_contains($said, 'ALPN protocol: h2') && self::nameOf($said) === 'other');
    }

    public function testSessions(): void
    {
        $certificates = self::$certificates;
        $session = $certificates->path('session');
        foreach (['-tls1_2' => '', '-tls1_3' => "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"] as $protocol => $request) {
            $begin = self::client("$protocol -ign_eof -servername localhost -sess_out $session", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            $this->check("$protocol: the first handshake is whole", str_contains($begin, 'New, TLS') && is_file($session), $begin);
            $resumed = 0;
            $workers = [];
            for ($i = 0; $i < 12; $i++) {
                $said = self::client("$protocol -ign_eof -servername localhost -sess_in $session", "GET /seen HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                $resumed += str_contains($said, 'Reused, TLS') ? 1 : 0;
                $workers[preg_match('/"worker":(\d+)/', $said, $found) === 1 ? $found[1] : ''] = true;
            }
            $this->same("$protocol: every later one is resumed, by all workers", 12, $resumed);
            $said = self::client("$protocol -ign_eof -servername other.example -sess_in $session", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            $this->check("$protocol: not under another name", !str_contains($said, 'Reused, TLS'), $said);
            unlink($session);
        }
        // Clients take a ticket of TLS 1.3 once.
        $close = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        self::client("-tls1_3 -ign_eof -servername localhost -sess_out $session", $close);
        for ($resumed = 0; $resumed < 4 && is_file($session); $resumed++) {
            rename($session, "$session.used");
            if (!str_contains(self::client("-tls1_3 -ign_eof -servername localhost -sess_in $session.used -sess_out $session", $close), 'Reused, TLS')) {
                break;
            }
        }
        $this->same('each resumed connection brings the ticket of the next', 4, $resumed);
        @unlink($session);
        $said = self::client('-tls1_3 -ign_eof', "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        $this->check('there is no early data', preg_match_all('/Max Early Data: (\d+)/', $said, $found) > 0 && array_unique($found[1]) === ['0'], $said);
    }

    public function testATicketOfAPortThatAsksForNoCertificate(): void
    {
        $certificates = self::$certificates;
        $session = $certificates->path('session');
        // A ticket of a port that asks for no certificate opens none that does.
        $ports = new Server('ports', self::of('server') + ['_type' => 1 | 512, '_ports' => [['127.0.0.1', $strict = Server::freePort(), 1 | 512,
            self::of('server') + ['ssl_verify_peer' => true, 'ssl_client_cert_file' => $certificates->path('ca.pem')]]]]);
        $through = static fn (int $port, string $arguments): string => (string) shell_exec("printf 'GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n' | timeout 20 openssl s_client -ign_eof -servername localhost -connect 127.0.0.1:$port "
            . '-CAfile ' . $certificates->path('ca.pem') . " $arguments 2>&1");
        $own = '-cert ' . $certificates->path('client.pem') . ' -key ' . $certificates->path('client.key');
        foreach (['-tls1_2', '-tls1_3'] as $protocol) {
            $this->check("$protocol: the open port gives a ticket", str_contains($through($ports->port, "$protocol -sess_out $session"), 'HTTP/1.1 200') && is_file($session));
            $this->check("$protocol: which the open port takes", str_contains($through($ports->port, "$protocol -sess_in $session"), 'Reused, TLS'));
            $said = $through($strict, "$protocol -sess_in $session");
            $this->check("$protocol: and the strict one does not", !str_contains($said, 'HTTP/1.1 200') && !str_contains($said, 'Reused, TLS'), $said);
            $this->check("$protocol: it serves who has a certificate", str_contains($through($strict, "$protocol $own"), 'HTTP/1.1 200'));
            @unlink($session);
        }
        unset($ports);
    }

    public function testTheOCSPResponse(): void
    {
        $this->check('the OCSP response is stapled', str_contains(self::client('-status'), 'Cert Status: good'));
        $this->check('... not to another certificate', str_contains(self::client('-status -servername other.example'), 'OCSP response: no response sent'));
        $this->check('... and not unasked', !str_contains(self::client(''), 'Cert Status'));
    }

    public function testPipelinedRequests(): void
    {
        [$certificates, $server] = [self::$certificates, self::$server];
        $context = stream_context_create(['ssl' => ['cafile' => $certificates->path('ca.pem'), 'peer_name' => 'localhost']]);
        $stream = stream_socket_client("tls://127.0.0.1:$server->port", $code, $message, 10.0, STREAM_CLIENT_CONNECT, $context);
        if ($stream !== false) {
            stream_set_blocking($stream, false);
            $requests = str_repeat("GET / HTTP/1.1\r\nHost: a\r\nX: " . str_repeat('x', 200) . "\r\n\r\n", 6000);
            $answers = '';
            $deadline = microtime(true) + 15.0;
            while (microtime(true) < $deadline && substr_count($answers, "hello\n") < 6000) {
                $sent = $requests === '' ? 0 : (int) fwrite($stream, substr($requests, 0, 200_000));
                $requests = substr($requests, $sent);
                $answers .= (string) fread($stream, 65536);
                $read = [$stream];
                $write = $requests === '' ? [] : [$stream];
                $none = [];
                stream_select($read, $write, $none, 0, 10_000);
            }
            $this->same('6,000 pipelined requests are all answered', 6000, substr_count($answers, "hello\n"));
            fclose($stream);
        }
    }

    public function testHandshakesThatAreNone(): void
    {
        $server = self::$server;
        $start = microtime(true);
        $silent = new Peer($server->address());
        $hello = new Peer($server->address());
        $hello->send(["\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"]);  // and no more of it
        foreach (['plain HTTP' => "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 'the preface of HTTP/2' => Http2Peer::PREFACE, 'garbage' => random_bytes(4000), 'zeros' => str_repeat("\0", 70000),
            'a record of 65535' => "\x16\x03\x01\xff\xff" . str_repeat('x', 70000), 'empty records' => str_repeat("\x16\x03\x01\x00\x00", 1000), 'an alert first' => "\x15\x03\x01\x00\x02\x01\x00",
            'data first' => "\x17\x03\x03\x00\x05hello"] as $what => $bytes) {
            $peer = new Peer($server->address());
            $peer->send([$bytes]);
            $this->check("$what is closed", $peer->readUntil(static fn (): bool => false, 10.0) !== false && $peer->ended() && !str_contains($peer->received(), 'HTTP/1.1 200'));
            $peer->close();
        }
        $silent->readToEnd();
        $hello->readToEnd();
        $this->check('silence instead of a handshake is closed in its time', $silent->ended() && $hello->ended() && microtime(true) - $start < 9.0);
        $silent->close();
        $hello->close();
    }

    public function testBrokenConnections(): void
    {
        [$certificates, $server] = [self::$certificates, self::$server];
        $before = $server->connections();
        $context = stream_context_create(['ssl' => ['cafile' => $certificates->path('ca.pem'), 'peer_name' => 'localhost']]);
        for ($i = 0; $i < 20; $i++) {
            $reset = new Peer($server->address());
            $reset->send(["\x16\x03\x01\x02\x00\x01"]);
            $reset->abort();
            $stream = stream_socket_client("tls://127.0.0.1:$server->port", $code, $message, 10.0, STREAM_CLIENT_CONNECT, $context);
            if ($stream === false) {
                $this->check('a connection beside broken ones', false, (string) $message);
                break;
            }
            fwrite($stream, "GET /big?kib=4096 HTTP/1.1\r\nHost: a\r\n\r\n");
            fread($stream, 1000);
            // Without close_notify, with the answer under way.
            stream_socket_shutdown($stream, $i % 2 === 0 ? STREAM_SHUT_WR : STREAM_SHUT_RDWR);
            fclose($stream);
        }
        $this->check('broken connections leave nothing behind', Server::until(10.0, static fn (): bool => $server->connections() <= $before), (string) $server->connections());
        $this->check('the server serves', str_contains(self::client('-ign_eof', "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), 'hello'));
    }

    public function testTheClosingAlert(): void
    {
        $server = self::$server;
        foreach (['/' => 'a small answer', '/big?kib=4096' => 'a large one'] as $path => $what) {
            $said = self::client('-quiet', "GET $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            $this->check("the closing alert comes behind $what", str_contains($said, '200 OK') && !str_contains($said, 'unexpected eof'), substr($said, -300));
        }
        $said = (string) shell_exec('timeout 20 openssl s_client -quiet -connect 127.0.0.1:' . $server->port . ' 2>&1 < /dev/zero | tail -c 2000');
        $this->check('... and behind a refusal', !str_contains($said, 'unexpected eof'), $said);
        $this->same('it ends well', 0, $server->stop());
        $this->same('nothing was logged', '', $server->output());
    }

    public function testAChainWithoutItsMiddle(): void
    {
        $certificates = self::$certificates;
        // What is missing of the chain is taken from the authorities that are trusted.
        $certificates->signBelow('deep');
        $trusted = $certificates->path('trusted.pem');
        file_put_contents($trusted, file_get_contents($certificates->path('middle.pem')) . file_get_contents($certificates->path('ca.pem')));
        $server = new Server('http2', self::of('deep') + ['ssl_verify_peer' => true, 'ssl_client_cert_file' => $trusted]);
        preg_match_all('/^ (\d) s:CN = (.+)$/m', self::client('', server: $server), $shown);
        $this->same('a chain that the file does not hold', ['deep', 'middle'], $shown[2]);
        $server->stop();
        file_put_contents($certificates->path('whole.pem'), file_get_contents($certificates->path('deep.pem')) . file_get_contents($certificates->path('middle.pem')));
        $server = new Server('http2', ['ssl_cert_file' => $certificates->path('whole.pem'), 'ssl_key_file' => $certificates->path('deep.key')]);
        preg_match_all('/^ (\d) s:CN = (.+)$/m', self::client('', server: $server), $shown);
        $this->same('a chain that it holds', ['deep', 'middle'], $shown[2]);
        $server->stop();
    }

    public function testCertificatesThatAreMissing(): void
    {
        $refusal = static function (array $settings): string {
            try {
                $server = new Server('http2', $settings);
            } catch (\RuntimeException $error) {
                return $error->getMessage();
            }
            // The port takes connections before the settings are looked at.
            Server::until(10.0, static fn (): bool => !$server->alive());
            return $server->output();
        };
        $this->check('a certificate by name that is missing stops the start', str_contains($refusal(self::of('server') + ['ssl_sni_certs' => ['x' => ['ssl_cert_file' => '/nowhere.pem']]]), '/nowhere.pem'));
        $this->check('... and so does a response that is none', str_contains($refusal(self::of('server') + ['ssl_stapling_file' => __FILE__]), 'OCSP response'));
    }

    private static function of(string $name): array
    {
        $certificates = self::$certificates;
        return ['ssl_cert_file' => $certificates->path("$name.pem"), 'ssl_key_file' => $certificates->path("$name.key")];
    }

    private static function nameOf(string $said): string
    {
        return preg_match('/^subject=.*CN = (\S+)/m', $said, $found) === 1 ? $found[1] : 'none';
    }

    private static function works(string $said): bool
    {
        return preg_match('/^ *(New, TLS|Reused, TLS)/m', $said) === 1;
    }

    /** What s_client says when it has sent a request, or only shaken hands. */
    private static function client(string $arguments, string $request = '', ?Server $server = null): string
    {
        $ca = self::$certificates->path('ca.pem');
        $command = 'timeout 20 openssl s_client -connect 127.0.0.1:' . ($server ?? self::$server)->port . " -CAfile $ca $arguments 2>&1";
        return (string) shell_exec(($request === '' ? '' : 'printf ' . escapeshellarg($request) . ' | ') . $command . ($request === '' ? ' < /dev/null' : ''));
    }

    /** Whether a hello that offers these cipher suites (and no other) is answered by one. */
    private static function agrees(string $suites): bool
    {
        $groups = "\0\x0a\0\x04\0\x02\0\x17";
        $signatures = "\0\x0d\0\x04\0\x02\x04\x03";
        $points = "\0\x0b\0\x02\x01\0";
        $extensions = $groups . $signatures . $points;
        $hello = "\x03\x03" . str_repeat('r', 32) . "\0" . pack('n', strlen($suites)) . $suites . "\x01\0" . pack('n', strlen($extensions)) . $extensions;
        $peer = new Peer(self::$server->address());
        $peer->send(["\x16\x03\x01" . pack('n', strlen($hello) + 4) . "\x01" . substr(pack('N', strlen($hello)), 1) . $hello]);
        $answer = $peer->readUntil(static fn (string $bytes): bool => strlen($bytes) >= 6);
        $peer->close();
        return str_starts_with($answer, "\x16\x03\x03") && $answer[5] === "\x02";
    }
}
