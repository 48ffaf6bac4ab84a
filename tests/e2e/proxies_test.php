<?php

declare(strict_types=1);

/* Behind proxies: PROXY headers in front of HTTP/1, HTTP/2 and TLS; Forwarded and X-Forwarded-*; connections of each address. */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';

const GET = "GET / HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n";
const LINE = "PROXY TCP4 203.0.113.7 198.51.100.1 4711 8443\r\n";

$report = new Report();
$v2 = static fn (int $command, int $family, string $rest): string => "\r\n\r\n\0\r\nQUIT\n" . chr($command) . chr($family) . pack('n', strlen($rest)) . $rest;
$four = inet_pton('203.0.113.7') . inet_pton('198.51.100.1') . pack('nn', 4711, 8443);
$six = inet_pton('2001:db8::7') . inet_pton('2001:db8::1') . pack('nn', 4711, 8443);
/** @return array<string, mixed> what the application saw; empty: nothing */
$seen = static function (string $address, array $pieces): array {
    $peer = new Peer($address);
    $peer->send($pieces);
    $received = $peer->readToEnd(10.0);
    return str_starts_with($received, 'HTTP/1.1 200') ? json_decode(Answer::all($received)[0]->body, true) : [];
};
$get = static function (string $address, string $path, string $before = ''): string {
    $peer = new Peer($address);
    $peer->send(["{$before}GET $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
    $received = $peer->readToEnd(10.0);
    return substr($received, (int) strpos($received, "\r\n\r\n") + 4);
};
$stats = static fn (string $address): array => json_decode($get($address, '/stats'), true) ?? [];
/** @return list<mixed> */
$who = static fn (array $seen): array => $seen === [] ? [] : [$seen['server']['remote_addr'], $seen['server']['remote_port'], $seen['server']['server_addr'] ?? null,
    $seen['server']['server_port'], $seen['info']['remote_ip'], $seen['info']['remote_port'], $seen['info']['server_port']];
$client = ['203.0.113.7', 4711, '198.51.100.1', 8443, '203.0.113.7', 4711, 8443];

// ---- PROXY headers ------------------------------------------------------------------------------

$certificates = new Certificates();
$events = tempnam(sys_get_temp_dir(), 'stampede-events-');
[$plain, $tls] = [Server::freePort(), Server::freePort()];
$server = new Server('ports', ['worker_num' => 1, 'proxy_protocol' => true, 'open_http2_protocol' => true, 'http_header_timeout' => 1.5, '_events' => $events,
    '_ports' => [['127.0.0.1', $plain, 1, ['proxy_protocol' => false]],
        ['127.0.0.1', $tls, 1 | 512, ['ssl_cert_file' => $certificates->path('server.pem'), 'ssl_key_file' => $certificates->path('server.key')]]]]);
$report->same('version 1', $client, $who($seen($server->address(), [LINE . GET])));
$report->same('version 1, apart from the request', $client, $who($seen($server->address(), [LINE, GET])));
$report->same('version 1, byte by byte', $client, $who($seen($server->address(), str_split(LINE . GET))));
$report->same('version 2', $client, $who($seen($server->address(), [$v2(0x21, 0x11, $four) . GET])));
$report->same('version 2, byte by byte', $client, $who($seen($server->address(), str_split($v2(0x21, 0x11, $four) . GET))));
$report->same('version 2, IPv6', ['2001:db8::7', 4711, '2001:db8::1', 8443, '2001:db8::7', 4711, 8443], $who($seen($server->address(), [$v2(0x21, 0x21, $six) . GET])));
$tlsSeen = $seen($server->address(), [$v2(0x21, 0x11, $four . "\x20\0\x05\x01\0\0\0\0") . GET]);
$report->same('the proxy took TLS off', 'on', $tlsSeen['server']['https'] ?? null);
$report->check('without TLS there is no such key', !isset($seen($server->address(), [LINE . GET])['server']['https']));
foreach (['UNKNOWN' => "PROXY UNKNOWN\r\n", 'LOCAL' => $v2(0x20, 0, ''), 'unspecified' => $v2(0x21, 0, 'xx')] as $name => $header) {
    $own = $seen($server->address(), [$header . GET]);
    $report->check("$name: the connection's own addresses", ($own['server']['remote_addr'] ?? '') === '127.0.0.1' && $own['server']['server_port'] === $server->port && ($own['server']['server_addr'] ?? '') === '127.0.0.1', json_encode($own));
}
$own = $seen($server->address(), [$v2(0x21, 0x31, str_repeat("\0", 216)) . GET]);
$report->same('a unix socket at the proxy', ['', 0], [$own['server']['remote_addr'] ?? null, $own['server']['remote_port'] ?? null]);
$list = events($events);
$report->check('the event connect comes after the header', in_array('connect 203.0.113.7 4711', $list, true) && in_array('connect 2001:db8::7 4711', $list, true), implode("\n", $list));


// What comes late of the connections before is not taken for news of those that follow.
$ended = static fn (): bool => count(preg_grep('/^connect/', events($events)) ?: []) === count(preg_grep('/^close/', events($events)) ?: []);
$report->check('each connection has ended', Server::until(5, $ended), implode("\n", events($events)));
file_put_contents($events, '');
$refusedBefore = $stats("tcp://127.0.0.1:$plain")['refused_count'];
$bad = ['no header' => GET, 'a line that ends with LF' => "PROXY TCP4 1.1.1.1 2.2.2.2 1 2\n" . GET, 'two spaces' => "PROXY  TCP4 1.1.1.1 2.2.2.2 1 2\r\n" . GET,
    'a port of six digits' => "PROXY TCP4 1.1.1.1 2.2.2.2 1 655360\r\n" . GET, 'an endless line' => 'PROXY ' . str_repeat('x', 5000), 'a bad family' => $v2(0x21, 0x42, $four) . GET,
    'a datagram' => $v2(0x21, 0x12, $four) . GET, 'a bad version' => $v2(0x31, 0x11, $four) . GET, 'a bad command' => $v2(0x25, 0x11, $four) . GET,
    'addresses that are cut' => $v2(0x21, 0x11, substr($four, 2)) . GET, 'extras that are cut' => $v2(0x21, 0x11, $four . "\x02\0\x30") . GET,
    'a wrong checksum' => $v2(0x21, 0x11, $four . "\x03\0\x04\1\2\3\4") . GET, '60 KB' => $v2(0x21, 0x11, $four . str_repeat("\x04\0\0", 20000)) . GET,
    'TLS' => "\x16\x03\x01\x02\x00\x01", 'HTTP/2' => Http2Peer::PREFACE];
foreach ($bad as $name => $bytes) {
    $peer = new Peer($server->address());
    $peer->send([$bytes]);
    $report->same("$name: closed without a word", ['', true], [$peer->readToEnd(1.0), $peer->ended()]);
}
$report->check('the application hears nothing of them', Server::until(5, static fn (): bool => count(events($events)) === 2), implode("\n", events($events)));
$report->same('each is counted', $refusedBefore + count($bad), $stats("tcp://127.0.0.1:$plain")['refused_count']);
$report->same('the log says it once', 1, substr_count($server->output(), 'did not begin with a PROXY header'));

foreach (['silence' => '', 'half a line' => 'PROXY TCP4 1.1.1.1', 'half of version 2' => substr($v2(0x21, 0x11, $four), 0, 20), 'a header alone' => LINE] as $name => $bytes) {
    $peer = new Peer($server->address());
    $start = microtime(true);
    $peer->send([$bytes]);
    $peer->readToEnd(6.0);
    $report->check("$name: out at the time of a head", $peer->ended() && microtime(true) - $start > 1.0 && microtime(true) - $start < 4.0, (string) (microtime(true) - $start));
}
$peer = new Peer($server->address());
$peer->send(['PROXY TCP4 1.1.']);
$peer->finishSending();
$report->check('the end behind half a line', $peer->readToEnd(4.0) === '' && $peer->ended());
$report->check('nothing is left open', Server::until(5, static fn (): bool => $server->connections() === 0));

$stream = stream_socket_client("tcp://127.0.0.1:$tls", $code, $message, 5.0, STREAM_CLIENT_CONNECT,
    stream_context_create(['ssl' => ['cafile' => $certificates->path('ca.pem'), 'peer_name' => 'localhost']]));
stream_set_timeout($stream, 10);
fwrite($stream, LINE);
$report->check('TLS begins behind the header', @stream_socket_enable_crypto($stream, true, STREAM_CRYPTO_METHOD_TLS_CLIENT) === true);
fwrite($stream, GET);
$received = (string) stream_get_contents($stream);
$through = str_starts_with($received, 'HTTP/1.1 200') ? json_decode(Answer::all($received)[0]->body, true) : [];
$report->same('and knows who asks', $client, $who($through));
$report->same('TLS here', 'on', $through['server']['https'] ?? null);
exec('curl -s --max-time 10 --http2-prior-knowledge --haproxy-protocol ' . escapeshellarg('http://127.0.0.1:' . $server->port . '/'), $out, $status);
$byCurl = json_decode(implode('', $out), true) ?? [];
$report->same('HTTP/2 behind a header that curl sends', ['HTTP/2', '127.0.0.1', $server->port], [$byCurl['server']['server_protocol'] ?? '', $byCurl['server']['server_addr'] ?? '', $byCurl['server']['server_port'] ?? 0]);
exec('curl -sk --max-time 10 --http2 --haproxy-protocol ' . escapeshellarg("https://127.0.0.1:$tls/"), $secure, $status);
$byCurl = json_decode(implode('', $secure), true) ?? [];
$report->same('and over TLS', ['HTTP/2', '127.0.0.1', 'on'], [$byCurl['server']['server_protocol'] ?? '', $byCurl['server']['server_addr'] ?? '', $byCurl['server']['https'] ?? '']);
$peer = new Peer("tcp://127.0.0.1:$plain");
$peer->send([LINE . GET]);
$report->check('a port without the setting does not know it', str_starts_with($peer->readToEnd(5.0), 'HTTP/1.1 400'));
unset($server);

$server = new Server('ports', ['proxy_protocol' => true, 'trusted_proxies' => ['10.0.0.0/8']]);
$peer = new Peer($server->address());
$peer->send([LINE . GET]);
$report->check('a header of somebody who is not trusted is no header', str_starts_with($peer->readToEnd(5.0), 'HTTP/1.1 400'));
$report->same('he is served as himself', '127.0.0.1', $seen($server->address(), [GET])['server']['remote_addr'] ?? null);
unset($server);
$server = new Server('ports', ['proxy_protocol' => true, 'trusted_proxies' => ['127.0.0.1', '203.0.113.0/24']]);
$report->same('one of somebody who is', $client, $who($seen($server->address(), [LINE . GET])));
$report->same('whom it names may be a proxy too', '192.0.2.1', $seen($server->address(), [LINE . "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"])['server']['remote_addr'] ?? null);
unset($server);

// ---- Forwarded and X-Forwarded-* ----------------------------------------------------------------

$with = static fn (string ...$fields): string => "GET / HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n" . implode('', array_map(static fn (string $field): string => "$field\r\n", $fields)) . "\r\n";
$server = new Server('ports');
$own = $seen($server->address(), [$with('X-Forwarded-For: 192.0.2.1', 'X-Forwarded-Proto: https', 'Forwarded: for=192.0.2.1')]);
$report->check('off by default', $own['server']['remote_addr'] === '127.0.0.1' && array_diff_key($own['server'], array_flip(['request_method', 'request_uri', 'path_info', 'request_time', 'request_time_float', 'server_protocol', 'server_port', 'remote_port', 'remote_addr', 'server_addr', 'master_time'])) === [], json_encode($own));
unset($server);
$server = new Server('ports', ['trusted_proxies' => ['private']]);
$own = $seen($server->address(), [$with('X-Forwarded-For: 6.6.6.6, 203.0.113.9, 10.1.1.1', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: shop.example:8443')])['server'] ?? [];
$report->same('through trusted hops only', ['203.0.113.9', 0, 'on', 8443, 'shop.example', '127.0.0.1'], [$own['remote_addr'] ?? null, $own['remote_port'] ?? null, $own['https'] ?? null, $own['server_port'] ?? null, $own['server_name'] ?? null, $own['proxy_addr'] ?? null]);
$own = $seen($server->address(), [$with('X-Forwarded-For: 203.0.113.9', 'X-Forwarded-Proto: https')])['server'] ?? [];
$report->same('the port of the scheme', 443, $own['server_port'] ?? null);
$own = $seen($server->address(), [$with('X-Forwarded-For: 203.0.113.9', 'X-Forwarded-Port: 9443', 'X-Forwarded-Proto: http')])['server'] ?? [];
$report->same('the port that is named', [9443, false], [$own['server_port'] ?? null, isset($own['https'])]);
$own = $seen($server->address(), [$with('Forwarded: for=192.0.2.1;proto=https')])['server'] ?? [];
$report->same('the other style is not read', ['127.0.0.1', false], [$own['remote_addr'] ?? null, isset($own['https'])]);
foreach (['X-Forwarded-For: <script>', "X-Forwarded-For: 1.1.1.1'; DROP TABLE", 'X-Forwarded-For: unknown', 'X-Forwarded-For: 1.1.1.1%00', 'X-Forwarded-For: fe80::1%eth0', 'X-Forwarded-For: 999.1.1.1',
    'X_Forwarded_For: 1.1.1.1', 'X-Forwarded-Host: a b', 'X-Forwarded-Host: user@host', 'X-Forwarded-Proto: javascript', 'X-Forwarded-Port: 0x50'] as $field) {
    $own = $seen($server->address(), [$with($field)])['server'] ?? [];
    $report->same("$field changes nothing", ['127.0.0.1', $server->port, false, false], [$own['remote_addr'] ?? null, $own['server_port'] ?? null, isset($own['https']), isset($own['server_name'])]);
}
$many = implode(', ', array_fill(0, 3000, '10.0.0.1'));
$report->same('thousands of hops', '10.0.0.1', $seen($server->address(), [$with("X-Forwarded-For: 1.1.1.1, $many")])['server']['remote_addr'] ?? null);
unset($server);
$server = new Server('ports', ['trusted_proxies' => ['127.0.0.0/8'], 'trusted_proxy_headers' => 'forwarded', 'open_http2_protocol' => true]);
$own = $seen($server->address(), [$with('Forwarded: for="6.6.6.6', 'Forwarded: for="[2001:db8::9]:4711";proto=https;host="shop.example"', 'X-Forwarded-For: 6.6.6.6')])['server'] ?? [];
$report->same('Forwarded', ['2001:db8::9', 4711, 'on', 443, 'shop.example'], [$own['remote_addr'] ?? null, $own['remote_port'] ?? null, $own['https'] ?? null, $own['server_port'] ?? null, $own['server_name'] ?? null]);
exec('curl -s --max-time 10 --http2-prior-knowledge -H ' . escapeshellarg('Forwarded: for=203.0.113.9;proto=https') . ' ' . escapeshellarg("http://127.0.0.1:$server->port/"), $two, $status);
$own = json_decode(implode('', $two), true)['server'] ?? [];
$report->same('over HTTP/2', ['HTTP/2', '203.0.113.9', 'on'], [$own['server_protocol'] ?? null, $own['remote_addr'] ?? null, $own['https'] ?? null]);
unset($server);
$socket = sys_get_temp_dir() . '/stampede-proxies-' . getmypid() . '.sock';
$server = new Server('ports', ['trusted_proxies' => ['unix'], '_ports' => [[$socket, 0, 5, []]]]);
$report->same('the peer of a unix socket', '203.0.113.9', $seen("unix://$socket", [$with('X-Forwarded-For: 203.0.113.9')])['server']['remote_addr'] ?? null);
$report->same('is not every peer', '127.0.0.1', $seen($server->address(), [$with('X-Forwarded-For: 203.0.113.9')])['server']['remote_addr'] ?? null);
unset($server);
foreach ([['trusted_proxies' => ['10.0.0.0/33']], ['trusted_proxies' => ['*']], ['trusted_proxies' => 'proxy.example'], ['trusted_proxies' => ['private'], 'trusted_proxy_headers' => 'both']] as $settings) {
    $why = whyNot('ports', $settings);
    $report->check(json_encode($settings) . ' stops the start with a sentence', preg_match('~trusted_proxy_headers must be|trusted_proxies: "~', $why) === 1, $why);
}

// ---- connections of each address ----------------------------------------------------------------

$server = new Server('ports', ['worker_num' => 2, 'max_connections_per_address' => 4, 'http_idle_timeout' => 60, 'http_linger_timeout' => 0.5,
    '_ports' => [['127.0.0.1', $proxied = Server::freePort(), 1, ['proxy_protocol' => true]],
        ['127.0.0.1', $tls = Server::freePort(), 1 | 512, ['ssl_cert_file' => $certificates->path('server.pem'), 'ssl_key_file' => $certificates->path('server.key')]]]]);
$open = static function (string $address, string $before = '') : Peer {
    $peer = new Peer($address);
    $peer->send(["{$before}GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
    return $peer;
};
$status = static fn (Peer $peer): int => ($peer->answers(1)[0] ?? null)->status ?? 0;
$peers = array_map(static fn (): Peer => $open($server->address()), range(1, 4));
$report->same('as many as an address may have, over all workers', [200, 200, 200, 200], array_map($status, $peers));
$more = $open($server->address());
$report->same('one more is told so', [503, true], [$status($more), $more->readToEnd(5.0) !== '' && $more->ended()]);
$secure = new Peer("tcp://127.0.0.1:$tls");
$secure->send(["\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00"]);
$report->check('over TLS it is closed', $secure->readToEnd(5.0) === '' && $secure->ended());
$others = array_map(static fn (int $i): Peer => $open("tcp://127.0.0.1:$proxied", "PROXY TCP4 203.0.113.$i 198.51.100.1 1 2\r\n"), range(1, 6));
$report->same('others behind a proxy are not he', array_fill(0, 6, 200), array_map($status, $others));
$six = array_map(static fn (int $i): Peer => $open("tcp://127.0.0.1:$proxied", "PROXY TCP6 2001:db8::$i ::1 1 2\r\n"), range(1, 4));
$report->same('a /64 is one', [200, 200, 200, 200], array_map($status, $six));
$late = $open("tcp://127.0.0.1:$proxied", "PROXY TCP6 2001:db8::ffff ::1 1 2\r\n");
$report->check('which has enough', $late->readToEnd(5.0) === '' && $late->ended());
$report->same('another /64', 200, $status($open("tcp://127.0.0.1:$proxied", "PROXY TCP6 2001:db8:0:1::1 ::1 1 2\r\n")));
$peers[0]->close();
$report->check('when one goes, another may come', Server::until(5, static function () use ($open, $server, $status, &$peers): bool {
    $peers[0] = $open($server->address());
    return $status($peers[0]) === 200;
}));
$burst = array_map(static fn (): Peer => new Peer($server->address()), range(1, 200));
$report->check('a burst of refused ones', Server::until(10, static fn (): bool => array_filter($burst, static fn (Peer $peer): bool => !$peer->ended() && $peer->readToEnd(0.02) === '' && !$peer->ended()) === []));
unset($burst);
$report->check('is a line of the log', substr_count($server->output(), 'connections refused') >= 1 && substr_count($server->output(), 'connections refused') <= 4, $server->output());
$report->check('those who were there are still served', array_unique(array_map(static function (Peer $peer): int {
    $peer->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
    return count($peer->answers(2));
}, array_slice($peers, 1))) === [2]);
foreach (workers($server, 2) as $pid) {
    posix_kill($pid, SIGKILL);
}
$report->check('what killed workers had does not count', Server::until(5, static function () use ($open, $server, $status): bool {
    $again = array_map(static fn (): Peer => $open($server->address()), range(1, 4));
    return array_map($status, $again) === [200, 200, 200, 200];
}));
unset($server, $peers, $others, $six, $late, $more, $secure);
$server = new Server('ports', ['max_connections_per_address' => 2, 'trusted_proxies' => ['127.0.0.1'], 'http_idle_timeout' => 60]);
$peers = array_map(static fn (): Peer => $open($server->address()), range(1, 5));
$report->same('a trusted proxy brings the connections of many', array_fill(0, 5, 200), array_map($status, $peers));
unset($server, $peers);

unlink($events);
$report->finish();
