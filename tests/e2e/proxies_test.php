<?php

declare(strict_types=1);

/* Behind proxies: PROXY headers in front of HTTP/1, HTTP/2 and TLS; Forwarded and X-Forwarded-*; connections of each address. */

namespace Stampede\Tests\E2e;

const GET = "GET / HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n";
const LINE = "PROXY TCP4 203.0.113.7 198.51.100.1 4711 8443\r\n";

final class proxies_test extends EndToEndTest
{
    private static array $client;
    private static Server $server;
    private static string $four;
    private static string $six;
    private static mixed $events;
    private static mixed $plain;
    private static mixed $tls;
    private static Certificates $certificates;

    public static function setUpBeforeClass(): void
    {
        self::$four = inet_pton('203.0.113.7') . inet_pton('198.51.100.1') . pack('nn', 4711, 8443);
        self::$six = inet_pton('2001:db8::7') . inet_pton('2001:db8::1') . pack('nn', 4711, 8443);
        self::$client = ['203.0.113.7', 4711, '198.51.100.1', 8443, '203.0.113.7', 4711, 8443];

        self::$certificates = $certificates = new Certificates();
        self::$events = $events = tempnam(sys_get_temp_dir(), 'stampede-events-');
        [$plain, $tls] = [Server::freePort(), Server::freePort()];
        self::$server = new Server('ports', ['worker_num' => 1, 'proxy_protocol' => true, 'open_http2_protocol' => true, 'http_header_timeout' => 1.5, '_events' => $events,
            '_ports' => [['127.0.0.1', $plain, 1, ['proxy_protocol' => false]],
                ['127.0.0.1', $tls, 1 | 512, ['ssl_cert_file' => $certificates->path('server.pem'), 'ssl_key_file' => $certificates->path('server.key')]]]]);
        self::$plain = $plain;
        self::$tls = $tls;
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $events = self::$events;
        unlink($events);
    }

    public function testProxyHeaders(): void
    {
        [$client, $server, $four, $six, $events] = [self::$client, self::$server, self::$four, self::$six, self::$events];
        $this->same('version 1', $client, self::who(self::seen($server->address(), [LINE . GET])));
        $this->same('version 1, apart from the request', $client, self::who(self::seen($server->address(), [LINE, GET])));
        $this->same('version 1, byte by byte', $client, self::who(self::seen($server->address(), str_split(LINE . GET))));
        $this->same('version 2', $client, self::who(self::seen($server->address(), [self::v2(0x21, 0x11, $four) . GET])));
        $this->same('version 2, byte by byte', $client, self::who(self::seen($server->address(), str_split(self::v2(0x21, 0x11, $four) . GET))));
        $this->same('version 2, IPv6', ['2001:db8::7', 4711, '2001:db8::1', 8443, '2001:db8::7', 4711, 8443], self::who(self::seen($server->address(), [self::v2(0x21, 0x21, $six) . GET])));
        $tlsSeen = self::seen($server->address(), [self::v2(0x21, 0x11, $four . "\x20\0\x05\x01\0\0\0\0") . GET]);
        $this->same('the proxy took TLS off', 'on', $tlsSeen['server']['https'] ?? null);
        $this->check('without TLS there is no such key', !isset(self::seen($server->address(), [LINE . GET])['server']['https']));
        foreach (['UNKNOWN' => "PROXY UNKNOWN\r\n", 'LOCAL' => self::v2(0x20, 0, ''), 'unspecified' => self::v2(0x21, 0, 'xx')] as $name => $header) {
            $own = self::seen($server->address(), [$header . GET]);
            $this->check("$name: the connection's own addresses", ($own['server']['remote_addr'] ?? '') === '127.0.0.1' && $own['server']['server_port'] === $server->port && ($own['server']['server_addr'] ?? '') === '127.0.0.1', json_encode($own));
        }
        $own = self::seen($server->address(), [self::v2(0x21, 0x31, str_repeat("\0", 216)) . GET]);
        $this->same('a unix socket at the proxy', ['', 0], [$own['server']['remote_addr'] ?? null, $own['server']['remote_port'] ?? null]);
        $list = events($events);
        $this->check('the event connect comes after the header', in_array('connect 203.0.113.7 4711', $list, true) && in_array('connect 2001:db8::7 4711', $list, true), implode("\n", $list));
    }

    public function testBadHeaders(): void
    {
        [$events, $plain, $four, $server] = [self::$events, self::$plain, self::$four, self::$server];
        // What comes late of the connections before is not taken for news of those that follow.
        $ended = static fn (): bool => count(preg_grep('/^connect/', events($events)) ?: []) === count(preg_grep('/^close/', events($events)) ?: []);
        $this->check('each connection has ended', Server::until(5, $ended), implode("\n", events($events)));
        file_put_contents($events, '');
        $refusedBefore = self::stats("tcp://127.0.0.1:$plain")['refused_count'];
        $bad = ['no header' => GET, 'a line that ends with LF' => "PROXY TCP4 1.1.1.1 2.2.2.2 1 2\n" . GET, 'two spaces' => "PROXY  TCP4 1.1.1.1 2.2.2.2 1 2\r\n" . GET,
            'a port of six digits' => "PROXY TCP4 1.1.1.1 2.2.2.2 1 655360\r\n" . GET, 'an endless line' => 'PROXY ' . str_repeat('x', 5000), 'a bad family' => self::v2(0x21, 0x42, $four) . GET,
            'a datagram' => self::v2(0x21, 0x12, $four) . GET, 'a bad version' => self::v2(0x31, 0x11, $four) . GET, 'a bad command' => self::v2(0x25, 0x11, $four) . GET,
            'addresses that are cut' => self::v2(0x21, 0x11, substr($four, 2)) . GET, 'extras that are cut' => self::v2(0x21, 0x11, $four . "\x02\0\x30") . GET,
            'a wrong checksum' => self::v2(0x21, 0x11, $four . "\x03\0\x04\1\2\3\4") . GET, '60 KB' => self::v2(0x21, 0x11, $four . str_repeat("\x04\0\0", 20000)) . GET,
            'TLS' => "\x16\x03\x01\x02\x00\x01", 'HTTP/2' => Http2Peer::PREFACE];
        foreach ($bad as $name => $bytes) {
            $peer = new Peer($server->address());
            $peer->send([$bytes]);
            $this->same("$name: closed without a word", ['', true], [$peer->readToEnd(1.0), $peer->ended()]);
        }
        $this->check('the application hears nothing of them', Server::until(5, static fn (): bool => count(events($events)) === 2), implode("\n", events($events)));
        $this->same('each is counted', $refusedBefore + count($bad), self::stats("tcp://127.0.0.1:$plain")['refused_count']);
        $this->same('the log says it once', 1, substr_count($server->output(), 'did not begin with a PROXY header'));
    }

    public function testHeadersThatDoNotEnd(): void
    {
        [$four, $server] = [self::$four, self::$server];
        foreach (['silence' => '', 'half a line' => 'PROXY TCP4 1.1.1.1', 'half of version 2' => substr(self::v2(0x21, 0x11, $four), 0, 20), 'a header alone' => LINE] as $name => $bytes) {
            $peer = new Peer($server->address());
            $start = microtime(true);
            $peer->send([$bytes]);
            $peer->readToEnd(6.0);
            $this->check("$name: out at the time of a head", $peer->ended() && microtime(true) - $start > 1.0 && microtime(true) - $start < 4.0, (string) (microtime(true) - $start));
        }
        $peer = new Peer($server->address());
        $peer->send(['PROXY TCP4 1.1.']);
        $peer->finishSending();
        $this->check('the end behind half a line', $peer->readToEnd(4.0) === '' && $peer->ended());
        $this->check('nothing is left open', Server::until(5, static fn (): bool => $server->connections() === 0));
    }

    public function testTlsAfterTheHeader(): void
    {
        [$tls, $certificates, $client, $server, $plain] = [self::$tls, self::$certificates, self::$client, self::$server, self::$plain];
        $stream = stream_socket_client("tcp://127.0.0.1:$tls", $code, $message, 5.0, STREAM_CLIENT_CONNECT,
            stream_context_create(['ssl' => ['cafile' => $certificates->path('ca.pem'), 'peer_name' => 'localhost']]));
        stream_set_timeout($stream, 10);
        fwrite($stream, LINE);
        $this->check('TLS begins behind the header', @stream_socket_enable_crypto($stream, true, STREAM_CRYPTO_METHOD_TLS_CLIENT) === true);
        fwrite($stream, GET);
        $received = (string) stream_get_contents($stream);
        $through = str_starts_with($received, 'HTTP/1.1 200') ? json_decode(Answer::all($received)[0]->body, true) : [];
        $this->same('and knows who asks', $client, self::who($through));
        $this->same('TLS here', 'on', $through['server']['https'] ?? null);
        exec('curl -s --max-time 10 --http2-prior-knowledge --haproxy-protocol ' . escapeshellarg('http://127.0.0.1:' . $server->port . '/'), $out, $status);
        $byCurl = json_decode(implode('', $out), true) ?? [];
        $this->same('HTTP/2 behind a header that curl sends', ['HTTP/2', '127.0.0.1', $server->port], [$byCurl['server']['server_protocol'] ?? '', $byCurl['server']['server_addr'] ?? '', $byCurl['server']['server_port'] ?? 0]);
        exec('curl -sk --max-time 10 --http2 --haproxy-protocol ' . escapeshellarg("https://127.0.0.1:$tls/"), $secure, $status);
        $byCurl = json_decode(implode('', $secure), true) ?? [];
        $this->same('and over TLS', ['HTTP/2', '127.0.0.1', 'on'], [$byCurl['server']['server_protocol'] ?? '', $byCurl['server']['server_addr'] ?? '', $byCurl['server']['https'] ?? '']);
        $peer = new Peer("tcp://127.0.0.1:$plain");
        $peer->send([LINE . GET]);
        $this->check('a port without the setting does not know it', str_starts_with($peer->readToEnd(5.0), 'HTTP/1.1 400'));
        unset($server);
    }

    public function testHeadersOfStrangers(): void
    {
        $client = self::$client;
        $server = new Server('ports', ['proxy_protocol' => true, 'trusted_proxies' => ['10.0.0.0/8']]);
        $peer = new Peer($server->address());
        $peer->send([LINE . GET]);
        $this->check('a header of somebody who is not trusted is no header', str_starts_with($peer->readToEnd(5.0), 'HTTP/1.1 400'));
        $this->same('he is served as himself', '127.0.0.1', self::seen($server->address(), [GET])['server']['remote_addr'] ?? null);
        unset($server);
        $server = new Server('ports', ['proxy_protocol' => true, 'trusted_proxies' => ['127.0.0.1', '203.0.113.0/24']]);
        $this->same('one of somebody who is', $client, self::who(self::seen($server->address(), [LINE . GET])));
        $this->same('whom it names may be a proxy too', '192.0.2.1', self::seen($server->address(), [LINE . "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"])['server']['remote_addr'] ?? null);
        unset($server);
    }

    public function testForwardedAndXForwarded(): void
    {
        $with = static fn (string ...$fields): string => "GET / HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n" . implode('', array_map(static fn (string $field): string => "$field\r\n", $fields)) . "\r\n";
        $server = new Server('ports');
        $own = self::seen($server->address(), [$with('X-Forwarded-For: 192.0.2.1', 'X-Forwarded-Proto: https', 'Forwarded: for=192.0.2.1')]);
        $this->check('off by default', $own['server']['remote_addr'] === '127.0.0.1' && array_diff_key($own['server'], array_flip(['request_method', 'request_uri', 'path_info', 'request_time', 'request_time_float', 'server_protocol', 'server_port', 'remote_port', 'remote_addr', 'server_addr', 'master_time'])) === [], json_encode($own));
        unset($server);
        $server = new Server('ports', ['trusted_proxies' => ['private']]);
        $own = self::seen($server->address(), [$with('X-Forwarded-For: 6.6.6.6, 203.0.113.9, 10.1.1.1', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: shop.example:8443')])['server'] ?? [];
        $this->same('through trusted hops only', ['203.0.113.9', 0, 'on', 8443, 'shop.example', '127.0.0.1'], [$own['remote_addr'] ?? null, $own['remote_port'] ?? null, $own['https'] ?? null, $own['server_port'] ?? null, $own['server_name'] ?? null, $own['proxy_addr'] ?? null]);
        $own = self::seen($server->address(), [$with('X-Forwarded-For: 203.0.113.9', 'X-Forwarded-Proto: https')])['server'] ?? [];
        $this->same('the port of the scheme', 443, $own['server_port'] ?? null);
        $own = self::seen($server->address(), [$with('X-Forwarded-For: 203.0.113.9', 'X-Forwarded-Port: 9443', 'X-Forwarded-Proto: http')])['server'] ?? [];
        $this->same('the port that is named', [9443, false], [$own['server_port'] ?? null, isset($own['https'])]);
        $own = self::seen($server->address(), [$with('Forwarded: for=192.0.2.1;proto=https')])['server'] ?? [];
        $this->same('the other style is not read', ['127.0.0.1', false], [$own['remote_addr'] ?? null, isset($own['https'])]);
        foreach (['X-Forwarded-For: <script>', "X-Forwarded-For: 1.1.1.1'; DROP TABLE", 'X-Forwarded-For: unknown', 'X-Forwarded-For: 1.1.1.1%00', 'X-Forwarded-For: fe80::1%eth0', 'X-Forwarded-For: 999.1.1.1',
            'X_Forwarded_For: 1.1.1.1', 'X-Forwarded-Host: a b', 'X-Forwarded-Host: user@host', 'X-Forwarded-Proto: javascript', 'X-Forwarded-Port: 0x50'] as $field) {
            $own = self::seen($server->address(), [$with($field)])['server'] ?? [];
            $this->same("$field changes nothing", ['127.0.0.1', $server->port, false, false], [$own['remote_addr'] ?? null, $own['server_port'] ?? null, isset($own['https']), isset($own['server_name'])]);
        }
        $many = implode(', ', array_fill(0, 3000, '10.0.0.1'));
        $this->same('thousands of hops', '10.0.0.1', self::seen($server->address(), [$with("X-Forwarded-For: 1.1.1.1, $many")])['server']['remote_addr'] ?? null);
        unset($server);
        $server = new Server('ports', ['trusted_proxies' => ['127.0.0.0/8'], 'trusted_proxy_headers' => 'forwarded', 'open_http2_protocol' => true]);
        $own = self::seen($server->address(), [$with('Forwarded: for="6.6.6.6', 'Forwarded: for="[2001:db8::9]:4711";proto=https;host="shop.example"', 'X-Forwarded-For: 6.6.6.6')])['server'] ?? [];
        $this->same('Forwarded', ['2001:db8::9', 4711, 'on', 443, 'shop.example'], [$own['remote_addr'] ?? null, $own['remote_port'] ?? null, $own['https'] ?? null, $own['server_port'] ?? null, $own['server_name'] ?? null]);
        exec('curl -s --max-time 10 --http2-prior-knowledge -H ' . escapeshellarg('Forwarded: for=203.0.113.9;proto=https') . ' ' . escapeshellarg("http://127.0.0.1:$server->port/"), $two, $status);
        $own = json_decode(implode('', $two), true)['server'] ?? [];
        $this->same('over HTTP/2', ['HTTP/2', '203.0.113.9', 'on'], [$own['server_protocol'] ?? null, $own['remote_addr'] ?? null, $own['https'] ?? null]);
        unset($server);
        $socket = sys_get_temp_dir() . '/stampede-proxies-' . getmypid() . '.sock';
        $server = new Server('ports', ['trusted_proxies' => ['unix'], '_ports' => [[$socket, 0, 5, []]]]);
        $this->same('the peer of a unix socket', '203.0.113.9', self::seen("unix://$socket", [$with('X-Forwarded-For: 203.0.113.9')])['server']['remote_addr'] ?? null);
        $this->same('is not every peer', '127.0.0.1', self::seen($server->address(), [$with('X-Forwarded-For: 203.0.113.9')])['server']['remote_addr'] ?? null);
        unset($server);
        foreach ([['trusted_proxies' => ['10.0.0.0/33']], ['trusted_proxies' => ['*']], ['trusted_proxies' => 'proxy.example'], ['trusted_proxies' => ['private'], 'trusted_proxy_headers' => 'both']] as $settings) {
            $why = whyNot('ports', $settings);
            $this->check(json_encode($settings) . ' stops the start with a sentence', preg_match('~trusted_proxy_headers must be|trusted_proxies: "~', $why) === 1, $why);
        }
    }

    public function testConnectionsOfEachAddress(): void
    {
        $certificates = self::$certificates;
        $server = new Server('ports', ['worker_num' => 2, 'max_connections_per_address' => 4, 'http_idle_timeout' => 60, 'http_linger_timeout' => 0.5,
            '_ports' => [['127.0.0.1', $proxied = Server::freePort(), 1, ['proxy_protocol' => true]],
                ['127.0.0.1', $tls = Server::freePort(), 1 | 512, ['ssl_cert_file' => $certificates->path('server.pem'), 'ssl_key_file' => $certificates->path('server.key')]]]]);
        $open = static function (string $address, string $before = '') : Peer {
            $peer = new Peer($address);
            $peer->send(["{$before}GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
            return $peer;
        };
        $status = static fn (Peer $peer): int => ($peer->answers(1)[0] ?? null)->status ?? 0;
        // The connections that showed that the server had started may not have ended for it yet.
        [$peers, $statuses] = [[], []];
        Server::until(10.0, static function () use ($open, $server, $status, &$peers, &$statuses): bool {
            $peers = array_map(static fn (): Peer => $open($server->address()), range(1, 4));
            $statuses = array_map($status, $peers);
            return $statuses === [200, 200, 200, 200];
        });
        $this->same('as many as an address may have, over all workers', [200, 200, 200, 200], $statuses);
        $more = $open($server->address());
        $this->same('one more is told so', [503, true], [$status($more), $more->readToEnd(5.0) !== '' && $more->ended()]);
        $secure = new Peer("tcp://127.0.0.1:$tls");
        $secure->send(["\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00"]);
        $this->check('over TLS it is closed', $secure->readToEnd(5.0) === '' && $secure->ended());
        $others = array_map(static fn (int $i): Peer => $open("tcp://127.0.0.1:$proxied", "PROXY TCP4 203.0.113.$i 198.51.100.1 1 2\r\n"), range(1, 6));
        $this->same('others behind a proxy are not he', array_fill(0, 6, 200), array_map($status, $others));
        $six = array_map(static fn (int $i): Peer => $open("tcp://127.0.0.1:$proxied", "PROXY TCP6 2001:db8::$i ::1 1 2\r\n"), range(1, 4));
        $this->same('a /64 is one', [200, 200, 200, 200], array_map($status, $six));
        $late = $open("tcp://127.0.0.1:$proxied", "PROXY TCP6 2001:db8::ffff ::1 1 2\r\n");
        $this->check('which has enough', $late->readToEnd(5.0) === '' && $late->ended());
        $this->same('another /64', 200, $status($open("tcp://127.0.0.1:$proxied", "PROXY TCP6 2001:db8:0:1::1 ::1 1 2\r\n")));
        $peers[0]->close();
        $this->check('when one goes, another may come', Server::until(5, static function () use ($open, $server, $status, &$peers): bool {
            $peers[0] = $open($server->address());
            return $status($peers[0]) === 200;
        }));
        $burst = array_map(static fn (): Peer => new Peer($server->address()), range(1, 200));
        $this->check('a burst of refused ones', Server::until(10, static fn (): bool => array_filter($burst, static fn (Peer $peer): bool => !$peer->ended() && $peer->readToEnd(0.02) === '' && !$peer->ended()) === []));
        unset($burst);
        $this->check('is a line of the log', substr_count($server->output(), 'connections refused') >= 1 && substr_count($server->output(), 'connections refused') <= 4, $server->output());
        $this->check('those who were there are still served', array_unique(array_map(static function (Peer $peer): int {
            $peer->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
            return count($peer->answers(2));
        }, array_slice($peers, 1))) === [2]);
        foreach (workers($server, 2) as $pid) {
            posix_kill($pid, SIGKILL);
        }
        $this->check('what killed workers had does not count', Server::until(5, static function () use ($open, $server, $status): bool {
            $again = array_map(static fn (): Peer => $open($server->address()), range(1, 4));
            return array_map($status, $again) === [200, 200, 200, 200];
        }));
        unset($server, $peers, $others, $six, $late, $more, $secure);
        $server = new Server('ports', ['max_connections_per_address' => 2, 'trusted_proxies' => ['127.0.0.1'], 'http_idle_timeout' => 60]);
        $peers = array_map(static fn (): Peer => $open($server->address()), range(1, 5));
        $this->same('a trusted proxy brings the connections of many', array_fill(0, 5, 200), array_map($status, $peers));
        unset($server, $peers);
    }

    private static function v2(int $command, int $family, string $rest): string
    {
        return "\r\n\r\n\0\r\nQUIT\n" . chr($command) . chr($family) . pack('n', strlen($rest)) . $rest;
    }

    /** @return array<string, mixed> what the application saw; empty: nothing */
    private static function seen(string $address, array $pieces): array
    {
        $peer = new Peer($address);
        $peer->send($pieces);
        $received = $peer->readToEnd(10.0);
        return str_starts_with($received, 'HTTP/1.1 200') ? json_decode(Answer::all($received)[0]->body, true) : [];
    }

    private static function get(string $address, string $path, string $before = ''): string
    {
        $peer = new Peer($address);
        $peer->send(["{$before}GET $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $received = $peer->readToEnd(10.0);
        return substr($received, (int) strpos($received, "\r\n\r\n") + 4);
    }

    private static function stats(string $address): array
    {
        return json_decode(self::get($address, '/stats'), true) ?? [];
    }

    /** @return list<mixed> */
    private static function who(array $seen): array
    {
        return $seen === [] ? [] : [$seen['server']['remote_addr'], $seen['server']['remote_port'], $seen['server']['server_addr'] ?? null,
            $seen['server']['server_port'], $seen['info']['remote_ip'], $seen['info']['remote_port'], $seen['info']['server_port']];
    }
}
