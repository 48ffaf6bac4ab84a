<?php

declare(strict_types=1);

/* Servers that run in coroutines: HTTP, TLS, WebSocket with good and bad peers, lines of text, and their end. */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';

$report = new Report();

/** A frame as a client sends it. */
$frame = static function (int $opcode, string $data, bool $fin = true, int $rsv = 0, bool $masked = true): string {
    $length = strlen($data);
    $mask = random_bytes(4);
    $size = $length < 126 ? chr($length | ($masked ? 128 : 0)) : ($length < 65536 ? chr(126 | ($masked ? 128 : 0)) . pack('n', $length) : chr(127 | ($masked ? 128 : 0)) . pack('J', $length));
    $head = chr(($fin ? 128 : 0) | $rsv << 4 | $opcode) . $size;
    return $masked ? $head . $mask . ($data ^ substr(str_repeat($mask, intdiv($length, 4) + 1), 0, $length)) : $head . $data;
};
/** Frames of a server. @return list<array{int, string}> opcode and data */
$frames = static function (string $bytes): array {
    $frames = [];
    while (strlen($bytes) >= 2) {
        $length = ord($bytes[1]) & 127;
        $head = 2;
        if ($length > 125) {
            $head = $length === 126 ? 4 : 10;
            if (strlen($bytes) < $head) {
                break;
            }
            $length = unpack($length === 126 ? 'n' : 'J', substr($bytes, 2))[1];
        }
        if (strlen($bytes) < $head + $length) {
            break;
        }
        $frames[] = [ord($bytes[0]) & 15, substr($bytes, $head, $length)];
        $bytes = substr($bytes, $head + $length);
    }
    return $frames;
};
$handshake = static fn (string $more = '', string $path = '/ws', string $key = 'dGhlIHNhbXBsZSBub25jZQ=='): string =>
    "GET $path HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: $key\r\n$more\r\n";
/** What comes behind the handshake's answer when these bytes are sent, up to the end. */
$talk = static function (Server $server, string $bytes, string $more = '') use ($handshake, $frames): array {
    $peer = new Peer($server->address());
    $peer->send([$handshake($more) . $bytes]);
    $received = $peer->readToEnd(10);
    return $frames(substr($received, (int) strpos($received, "\r\n\r\n") + 4));
};
$close = static fn (int $code): array => [8, pack('n', $code)];

$lines = Server::freePort();
$server = new Server('coroutine_server', ['package_max_length' => 200_000, 'websocket_compression' => true, '_lines' => $lines]);
$report->same('the longest prefix', ["root /x $server->port", 'longer', 'longer', "root /long $server->port"],
    array_map(static fn (string $path): string => ask($server, $path)[1], ['/x', '/longer', '/longer/still', '/long']));
$report->check('a handler that throws', ask($server, '/throws')[0] === 500 && str_contains($server->output(), 'expected'));
$report->same('a file', file_get_contents(__DIR__ . '/apps/coroutine_server.php'), ask($server, '/file')[1]);

// Lines of text through Swoole\Coroutine\Server.
$peer = new Peer("tcp://127.0.0.1:$lines");
$peer->send(["abc\nde", "f\n"]);
$report->same('lines', "cba\nfed\n", $peer->readUntil(static fn (string $seen): bool => substr_count($seen, "\n") === 2));

// The handshake.
$peer = new Peer($server->address());
$peer->send([$handshake() . $frame(1, 'glued')]);
$seen = $peer->readUntil(static fn (string $seen): bool => str_contains($seen, 'glued'));
$report->check('101 with the key answered, and a frame glued to the request', str_starts_with($seen, "HTTP/1.1 101 Switching Protocols\r\n")
    && str_contains($seen, "\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n") && str_contains($seen, "\r\nX-Extra: yes\r\n"), $seen);
$peer->send(str_split($handshake(path: '/ignored')));  // not HTTP any more: the connection fails
$report->check('then it is no HTTP', str_contains($peer->readToEnd(), "\x88\x02\x03\xea"));
foreach ([[426, str_replace('Version: 13', 'Version: 12', $handshake())], [400, $handshake(key: 'short')], [400, $handshake(key: '')],
    [400, $handshake("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")], [400, str_replace('GET', 'POST', $handshake("Content-Length: 0\r\n"))],
    [400, str_replace('Upgrade: websocket', 'Upgrade: other', $handshake())], [400, $handshake("Content-Length: 1\r\n") . 'x']] as $i => [$status, $bytes]) {
    $peer = new Peer($server->address());
    $peer->send([$bytes]);
    $seen = $peer->readUntil(static fn (string $seen): bool => str_contains($seen, "\r\n\r\n"));
    $report->check("a handshake that is none ($i)", str_starts_with($seen, "HTTP/1.1 $status ") && ($status !== 426 || str_contains($seen, 'Sec-WebSocket-Version: 13')), $seen);
}

// Messages.
$end = $frame(8, pack('n', 1000) . 'done');
$report->same('messages, whole and in fragments around a ping', [[1, 'one'], [10, 'p'], [1, 'two three'], [2, str_repeat('b', 70_000)], $close(1000)],
    $talk($server, $frame(1, 'one') . $frame(1, 'two', false) . $frame(9, 'p') . $frame(0, ' three') . $frame(2, str_repeat('b', 70_000)) . $end));
$report->same('the server closes', [[8, pack('n', 4000) . 'as you wish']], $talk($server, $frame(1, 'bye') . $frame(8, pack('n', 4000))));
$deflated = substr((string) deflate_add(deflate_init(ZLIB_ENCODING_RAW), 'compressed compressed', ZLIB_SYNC_FLUSH), 0, -4);
$answer = $talk($server, $frame(1, $deflated, true, 4) . $end, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
$report->same('compression', 'compressed compressed', @inflate_add(inflate_init(ZLIB_ENCODING_RAW), ($answer[0][1] ?? '') . "\x00\x00\xff\xff") ?: ($answer[0][1] ?? ''));
$bomb = substr((string) deflate_add(deflate_init(ZLIB_ENCODING_RAW, ['level' => 9]), str_repeat("\0", 50_000_000), ZLIB_SYNC_FLUSH), 0, -4);
foreach ([
    'unmasked' => [1002, $frame(1, 'a', masked: false)], 'RSV without extension' => [1002, $frame(1, 'a', rsv: 4)], 'reserved opcode' => [1002, $frame(3, 'a')],
    'fragmented ping' => [1002, $frame(9, 'a', false)], 'long ping' => [1002, $frame(9, str_repeat('a', 126))], 'lone continuation' => [1002, $frame(0, 'a')],
    'a message inside of another' => [1002, $frame(1, 'a', false) . $frame(1, 'b')], 'close of one byte' => [1002, $frame(8, 'a')],
    'close with 1005' => [1002, $frame(8, pack('n', 1005))], 'a reason that is not UTF-8' => [1007, $frame(8, pack('n', 1000) . "\xff")],
    'text that is not UTF-8' => [1007, $frame(1, "\xed\xa0\x80")], 'too large' => [1009, $frame(2, str_repeat('a', 200_001))],
    'a huge length' => [1009, "\x82\xff\x00\x00\x00\x01\x00\x00\x00\x00mask"], 'too large in fragments' => [1009, $frame(2, str_repeat('a', 150_000), false) . $frame(0, str_repeat('a', 150_000))],
    'bad deflate' => [1007, $frame(1, "\xff\xff\xff", rsv: 4), "Sec-WebSocket-Extensions: permessage-deflate\r\n"],
    'a bomb' => [1009, $frame(2, $bomb, rsv: 4), "Sec-WebSocket-Extensions: permessage-deflate\r\n"],
] as $name => $case) {
    $report->same("$name closes with $case[0]", [$close($case[0])], $talk($server, $case[1], $case[2] ?? ''));
}

// Peers that do not behave leave nothing behind.
$stats = static fn (): array => json_decode(ask($server, '/stats')[1], true);
$rounds = static function (int $count) use ($server, $handshake, $frame): void {
    for ($i = 0; $i < $count; $i++) {
        $peer = new Peer($server->address());
        $peer->send([$handshake('', $i % 3 === 0 ? '/ws?timeout=0.001' : '/ws')]);
        $peer->readUntil(static fn (string $seen): bool => str_contains($seen, "\r\n\r\n"));
        $peer->send([$i % 2 ? substr($frame(1, 'half'), 0, 4) : $frame(1, 'whole') . $frame(9, '')]);
        unset($peer);  // gone without a word
    }
};
$quiet = static fn (): bool => $server->connections() === 0;
$rounds(100);
Server::until(10, $quiet);
$before = [...$stats(), $server->descriptors()];
$rounds(500);
Server::until(10, static fn (): bool => $stats()[2] === $before[2] + 500);
$after = [...$stats(), $server->descriptors()];
$report->same('500 broken connections leave no coroutine', $before[0], $after[0]);
$report->check('no memory', $after[1] - $before[1] < 64 * 1024, json_encode([$before, $after]));
$report->check('and no descriptor', Server::until(10, static fn (): bool => $server->descriptors() <= $before[3]), json_encode([$before, $after]));
$reader = new Peer($server->address());
$reader->send([$handshake() . $frame(1, 'flood')]);
$before = $server->memory();
$settled = Server::until(10, static function () use ($server): bool {
    $memory = $server->memory();
    usleep(300_000);
    return $server->memory() - $memory < 64;
});
$report->check('a peer that reads nothing makes the sender wait', $settled && $server->memory() - $before < 128 * 1024, "$before, then {$server->memory()} KiB");
unset($reader);

// The end from inside of a handler: what is in progress is answered, WebSocket peers are told.
$watcher = new Peer($server->address());
$watcher->send([$handshake()]);
$watcher->readUntil(static fn (string $seen): bool => str_contains($seen, "\r\n\r\n"));
$slow = new Peer($server->address());
$slow->send(["GET /slow?s=0.5 HTTP/1.1\r\nHost: a\r\n\r\n"]);
Server::until(5, static fn (): bool => $server->connections() >= 2);
$report->same('shutdown() from a handler: its answer', 'stopped', ask($server, '/stop')[1]);
$report->check('that of another request', str_ends_with($slow->readToEnd(), 'slow'));
$report->check('1001 for WebSocket peers', str_contains($watcher->readUntil(static fn (string $seen): bool => str_contains($seen, "\x03\xe9")), "\x88\x02\x03\xe9"));
unset($watcher);
$report->check('the server ends well', Server::until(10, static fn (): bool => str_contains($server->output(), 'ended well')), $server->output());

// Its own access log, and its own count of each address's connections.
unset($server);
$folder = External::folder();
$server = new Server('coroutine_server', ['access_log' => "$folder/access.log", 'max_connections_per_address' => 2, 'http_idle_timeout' => 60, 'http_linger_timeout' => 0.5]);
$kept = static function (Server $server, string $path): array {
    $peer = new Peer($server->address());
    $peer->send(["GET $path HTTP/1.1\r\nHost: a\r\n\r\n"]);
    return [$peer, ($peer->answers(1)[0] ?? null)->status ?? 0];
};
$report->check('as many connections as an address may have', Server::until(5, static function () use ($kept, $server, &$pair): bool {
    $pair = [];
    $pair = [$kept($server, '/first'), $kept($server, '/second?a=b')];  // the one that asked whether it listens may be there still
    return array_column($pair, 1) === [200, 200];
}));
$report->same('one more is told so', 503, $kept($server, '/third')[1]);
unset($pair);
$report->check('when they go, others may come', Server::until(5, static fn (): bool => $kept($server, '/fourth')[1] === 200));
$log = static fn (): string => (string) file_get_contents("$folder/access.log");
$report->check('the log has a line for each request', Server::until(5, static fn (): bool => str_contains($log(), '"GET /fourth HTTP/1.1" 200'))
    && preg_match('~^127\.0\.0\.1 - - \[[^]]+] "GET /second\?a=b HTTP/1\.1" 200 \d+ "-" "-"$~m', $log()) === 1, $log());
$report->same('the last one too', 'stopped', ask($server, '/stop')[1]);
$report->check('... when the server has ended', Server::until(5, static fn (): bool => str_contains($server->output(), 'ended well') && str_contains($log(), '"GET /stop HTTP/1.1" 200')), $log());
unset($server);
exec('rm -rf ' . escapeshellarg($folder));

// TLS.
$folder = External::folder();
External::certificate($folder);
$port = Server::freePort();
$module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
$secure = new External([PHP_BINARY, '-d', "extension=$module", '-n', __DIR__ . '/apps/coroutine_server.php', (string) $port,
    json_encode(['ssl_cert_file' => "$folder/cert.pem", 'ssl_key_file' => "$folder/key.pem", 'package_max_length' => 10_000_000], JSON_THROW_ON_ERROR)], External::folder(), "tcp://127.0.0.1:$port");
$fetch = static fn (string $path, ?string $body = null): string => (string) @file_get_contents("https://localhost:$port$path", false, stream_context_create([
    'ssl' => ['cafile' => "$folder/cert.pem"],
    'http' => ['timeout' => 10] + ($body === null ? [] : ['method' => 'POST', 'content' => $body, 'header' => 'Content-Type: text/plain']),
]));
$report->same('TLS', "root /a $port", $fetch('/a'));
$report->same('a big answer over TLS', md5(str_repeat('0123456789', 500_000)), md5($fetch('/big')));
$report->same('a file over TLS', md5_file(__DIR__ . '/apps/coroutine_server.php'), md5($fetch('/file')));
$body = random_bytes(3_000_000);
$report->same('a big body over TLS', md5($body), $fetch('/body', $body));
$plain = new Peer("tcp://127.0.0.1:$port");
$plain->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
$report->check('plain HTTP on a TLS port', !str_contains($plain->readToEnd(), 'HTTP/1.1 200'));
unset($secure);
array_map(unlink(...), glob("$folder/*") ?: []);
rmdir($folder);

$report->finish();
