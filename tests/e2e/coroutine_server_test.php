<?php

declare(strict_types=1);

/* Servers that run in coroutines: HTTP, TLS, WebSocket with good and bad peers, lines of text, and their end. */

namespace Stampede\Tests\E2e;

final class coroutine_server_test extends EndToEndTest
{
    private static Server $server;
    private static int $lines;

    public static function setUpBeforeClass(): void
    {
        self::$lines = $lines = Server::freePort();
        self::$server = new Server('coroutine_server', ['package_max_length' => 200_000, 'websocket_compression' => true, '_lines' => $lines]);
    }

    public function testHandlers(): void
    {
        $server = self::$server;
        $this->same('the longest prefix', ["root /x $server->port", 'longer', 'longer', "root /long $server->port"],
            array_map(static fn (string $path): string => ask($server, $path)[1], ['/x', '/longer', '/longer/still', '/long']));
        $this->check('a handler that throws', ask($server, '/throws')[0] === 500 && str_contains($server->output(), 'expected'));
        $this->same('a file', file_get_contents(__DIR__ . '/apps/coroutine_server.php'), ask($server, '/file')[1]);
    }

    public function testAServerOfLines(): void
    {
        $lines = self::$lines;
        // Lines of text through Swoole\Coroutine\Server.
        $peer = new Peer("tcp://127.0.0.1:$lines");
        $peer->send(["abc\nde", "f\n"]);
        $this->same('lines', "cba\nfed\n", $peer->readUntil(static fn (string $seen): bool => substr_count($seen, "\n") === 2));
    }

    public function testHandshakes(): void
    {
        $server = self::$server;
        // The handshake.
        $peer = new Peer($server->address());
        $peer->send([self::handshake() . self::frame(1, 'glued')]);
        $seen = $peer->readUntil(static fn (string $seen): bool => str_contains($seen, 'glued'));
        $this->check('101 with the key answered, and a frame glued to the request', str_starts_with($seen, "HTTP/1.1 101 Switching Protocols\r\n")
            && str_contains($seen, "\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n") && str_contains($seen, "\r\nX-Extra: yes\r\n"), $seen);
        $peer->send(str_split(self::handshake(path: '/ignored')));  // not HTTP any more: the connection fails
        $this->check('then it is no HTTP', str_contains($peer->readToEnd(), "\x88\x02\x03\xea"));
        foreach ([[426, str_replace('Version: 13', 'Version: 12', self::handshake())], [400, self::handshake(key: 'short')], [400, self::handshake(key: '')],
            [400, self::handshake("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")], [400, str_replace('GET', 'POST', self::handshake("Content-Length: 0\r\n"))],
            [400, str_replace('Upgrade: websocket', 'Upgrade: other', self::handshake())], [400, self::handshake("Content-Length: 1\r\n") . 'x']] as $i => [$status, $bytes]) {
            $peer = new Peer($server->address());
            $peer->send([$bytes]);
            $seen = $peer->readUntil(static fn (string $seen): bool => str_contains($seen, "\r\n\r\n"));
            $this->check("a handshake that is none ($i)", str_starts_with($seen, "HTTP/1.1 $status ") && ($status !== 426 || str_contains($seen, 'Sec-WebSocket-Version: 13')), $seen);
        }
    }

    public function testMessages(): void
    {
        $server = self::$server;
        // Messages.
        $end = self::frame(8, pack('n', 1000) . 'done');
        $this->same('messages, whole and in fragments around a ping', [[1, 'one'], [10, 'p'], [1, 'two three'], [2, str_repeat('b', 70_000)], self::close(1000)],
            self::talk($server, self::frame(1, 'one') . self::frame(1, 'two', false) . self::frame(9, 'p') . self::frame(0, ' three') . self::frame(2, str_repeat('b', 70_000)) . $end));
        $this->same('the server closes', [[8, pack('n', 4000) . 'as you wish']], self::talk($server, self::frame(1, 'bye') . self::frame(8, pack('n', 4000))));
        $deflated = substr((string) deflate_add(deflate_init(ZLIB_ENCODING_RAW), 'compressed compressed', ZLIB_SYNC_FLUSH), 0, -4);
        $answer = self::talk($server, self::frame(1, $deflated, true, 4) . $end, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
        $this->same('compression', 'compressed compressed', @inflate_add(inflate_init(ZLIB_ENCODING_RAW), ($answer[0][1] ?? '') . "\x00\x00\xff\xff") ?: ($answer[0][1] ?? ''));
        $bomb = substr((string) deflate_add(deflate_init(ZLIB_ENCODING_RAW, ['level' => 9]), str_repeat("\0", 50_000_000), ZLIB_SYNC_FLUSH), 0, -4);
        foreach ([
            'unmasked' => [1002, self::frame(1, 'a', masked: false)], 'RSV without extension' => [1002, self::frame(1, 'a', rsv: 4)], 'reserved opcode' => [1002, self::frame(3, 'a')],
            'fragmented ping' => [1002, self::frame(9, 'a', false)], 'long ping' => [1002, self::frame(9, str_repeat('a', 126))], 'lone continuation' => [1002, self::frame(0, 'a')],
            'a message inside of another' => [1002, self::frame(1, 'a', false) . self::frame(1, 'b')], 'close of one byte' => [1002, self::frame(8, 'a')],
            'close with 1005' => [1002, self::frame(8, pack('n', 1005))], 'a reason that is not UTF-8' => [1007, self::frame(8, pack('n', 1000) . "\xff")],
            'text that is not UTF-8' => [1007, self::frame(1, "\xed\xa0\x80")], 'too large' => [1009, self::frame(2, str_repeat('a', 200_001))],
            'a huge length' => [1009, "\x82\xff\x00\x00\x00\x01\x00\x00\x00\x00mask"], 'too large in fragments' => [1009, self::frame(2, str_repeat('a', 150_000), false) . self::frame(0, str_repeat('a', 150_000))],
            'bad deflate' => [1007, self::frame(1, "\xff\xff\xff", rsv: 4), "Sec-WebSocket-Extensions: permessage-deflate\r\n"],
            'a bomb' => [1009, self::frame(2, $bomb, rsv: 4), "Sec-WebSocket-Extensions: permessage-deflate\r\n"],
        ] as $name => $case) {
            $this->same("$name closes with $case[0]", [self::close($case[0])], self::talk($server, $case[1], $case[2] ?? ''));
        }
    }

    public function testBrokenConnections(): void
    {
        $server = self::$server;
        // Peers that do not behave leave nothing behind.
        $stats = static fn (): array => json_decode(ask($server, '/stats')[1], true);
        $rounds = static function (int $count) use ($server): void {
            for ($i = 0; $i < $count; $i++) {
                $peer = new Peer($server->address());
                $peer->send([self::handshake('', $i % 3 === 0 ? '/ws?timeout=0.001' : '/ws')]);
                $peer->readUntil(static fn (string $seen): bool => str_contains($seen, "\r\n\r\n"));
                $peer->send([$i % 2 ? substr(self::frame(1, 'half'), 0, 4) : self::frame(1, 'whole') . self::frame(9, '')]);
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
        $this->same('500 broken connections leave no coroutine', $before[0], $after[0]);
        $this->check('no memory', $after[1] - $before[1] < 64 * 1024, json_encode([$before, $after]));
        $this->check('and no descriptor', Server::until(10, static fn (): bool => $server->descriptors() <= $before[3]), json_encode([$before, $after]));
        $reader = new Peer($server->address());
        $reader->send([self::handshake() . self::frame(1, 'flood')]);
        $before = $server->memory();
        $settled = Server::until(10, static function () use ($server): bool {
            $memory = $server->memory();
            usleep(300_000);
            return $server->memory() - $memory < 64;
        });
        $this->check('a peer that reads nothing makes the sender wait', $settled && $server->memory() - $before < 128 * 1024, "$before, then {$server->memory()} KiB");
        unset($reader);
    }

    public function testShutdownFromAHandler(): void
    {
        $server = self::$server;
        // The end from inside of a handler: what is in progress is answered, WebSocket peers are told.
        $watcher = new Peer($server->address());
        $watcher->send([self::handshake()]);
        $watcher->readUntil(static fn (string $seen): bool => str_contains($seen, "\r\n\r\n"));
        $slow = new Peer($server->address());
        $slow->send(["GET /slow?s=0.5 HTTP/1.1\r\nHost: a\r\n\r\n"]);
        Server::until(5, static fn (): bool => $server->connections() >= 2);
        $this->same('shutdown() from a handler: its answer', 'stopped', ask($server, '/stop')[1]);
        $this->check('that of another request', str_ends_with($slow->readToEnd(), 'slow'));
        $this->check('1001 for WebSocket peers', str_contains($watcher->readUntil(static fn (string $seen): bool => str_contains($seen, "\x03\xe9")), "\x88\x02\x03\xe9"));
        unset($watcher);
        $this->check('the server ends well', Server::until(10, static fn (): bool => str_contains($server->output(), 'ended well')), $server->output());
    }

    public function testConnectionsOfAnAddress(): void
    {
        // Its own access log, and its own count of each address's connections.
        $folder = External::folder();
        $server = new Server('coroutine_server', ['access_log' => "$folder/access.log", 'max_connections_per_address' => 2, 'http_idle_timeout' => 60, 'http_linger_timeout' => 0.5]);
        $kept = static function (Server $server, string $path): array {
            $peer = new Peer($server->address());
            $peer->send(["GET $path HTTP/1.1\r\nHost: a\r\n\r\n"]);
            return [$peer, ($peer->answers(1)[0] ?? null)->status ?? 0];
        };
        $this->check('as many connections as an address may have', Server::until(5, static function () use ($kept, $server, &$pair): bool {
            $pair = [];
            $pair = [$kept($server, '/first'), $kept($server, '/second?a=b')];  // the one that asked whether it listens may be there still
            return array_column($pair, 1) === [200, 200];
        }));
        $this->same('one more is told so', 503, $kept($server, '/third')[1]);
        unset($pair);
        $this->check('when they go, others may come', Server::until(5, static fn (): bool => $kept($server, '/fourth')[1] === 200));
        $log = static fn (): string => (string) file_get_contents("$folder/access.log");
        $this->check('the log has a line for each request', Server::until(5, static fn (): bool => str_contains($log(), '"GET /fourth HTTP/1.1" 200'))
            && preg_match('~^127\.0\.0\.1 - - \[[^]]+] "GET /second\?a=b HTTP/1\.1" 200 \d+ "-" "-"$~m', $log()) === 1, $log());
        $this->same('the last one too', 'stopped', ask($server, '/stop')[1]);
        $this->check('... when the server has ended', Server::until(5, static fn (): bool => str_contains($server->output(), 'ended well') && str_contains($log(), '"GET /stop HTTP/1.1" 200')), $log());
        unset($server);
        exec('rm -rf ' . escapeshellarg($folder));
    }

    public function testTLS(): void
    {
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
        $this->same('TLS', "root /a $port", $fetch('/a'));
        $this->same('a big answer over TLS', md5(str_repeat('0123456789', 500_000)), md5($fetch('/big')));
        $this->same('a file over TLS', md5_file(__DIR__ . '/apps/coroutine_server.php'), md5($fetch('/file')));
        $body = random_bytes(3_000_000);
        $this->same('a big body over TLS', md5($body), $fetch('/body', $body));
        $plain = new Peer("tcp://127.0.0.1:$port");
        $plain->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $this->check('plain HTTP on a TLS port', !str_contains($plain->readToEnd(), 'HTTP/1.1 200'));
        unset($secure);
        array_map(unlink(...), glob("$folder/*") ?: []);
        rmdir($folder);
    }

    /** A frame as a client sends it. */
    private static function frame(int $opcode, string $data, bool $fin = true, int $rsv = 0, bool $masked = true): string
    {
        $length = strlen($data);
        $mask = random_bytes(4);
        $size = $length < 126 ? chr($length | ($masked ? 128 : 0)) : ($length < 65536 ? chr(126 | ($masked ? 128 : 0)) . pack('n', $length) : chr(127 | ($masked ? 128 : 0)) . pack('J', $length));
        $head = chr(($fin ? 128 : 0) | $rsv << 4 | $opcode) . $size;
        return $masked ? $head . $mask . ($data ^ substr(str_repeat($mask, intdiv($length, 4) + 1), 0, $length)) : $head . $data;
    }

    /** Frames of a server. @return list<array{int, string}> opcode and data */
    private static function frames(string $bytes): array
    {
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
    }

    private static function handshake(string $more = '', string $path = '/ws', string $key = 'dGhlIHNhbXBsZSBub25jZQ=='): string
    {
        return "GET $path HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: $key\r\n$more\r\n";
    }

    /** What comes behind the handshake's answer when these bytes are sent, up to the end. */
    private static function talk(Server $server, string $bytes, string $more = ''): array
    {
        $peer = new Peer($server->address());
        $peer->send([self::handshake($more) . $bytes]);
        $received = $peer->readToEnd(10);
        return self::frames(substr($received, (int) strpos($received, "\r\n\r\n") + 4));
    }

    private static function close(int $code): array
    {
        return [8, pack('n', $code)];
    }
}
