<?php

declare(strict_types=1);

/*
 * Peers of a WebSocket server that break the rules, and what must come of it: handshakes, close frames, text, sizes, compression,
 * floods. The server stays well, and its memory does not grow with what they announce.
 */

namespace Stampede\Tests\E2e;

final class websocket_rules_test extends EndToEndTest
{
    private static string $base;
    private static string $key;
    private static Server $server;

    public static function setUpBeforeClass(): void
    {
        self::$server = new Server('websocket', ['package_max_length' => 1 << 20, 'websocket_compression' => true]);
        self::$base = "Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
        self::$key = 'Sec-WebSocket-Key: ' . WebSocketPeer::KEY . "\r\n";
    }

    public function testHandshakes(): void
    {
        [$base, $key] = [self::$base, self::$key];
        $answer = self::head("GET / HTTP/1.1\r\n" . str_replace('Version: 13', 'Version: 12', $base) . "$key\r\n");
        $this->check('another version is told which one there is', str_starts_with($answer, 'http/1.1 426 ') && str_contains($answer, "sec-websocket-version: 13\r\n") && str_contains($answer, "upgrade: websocket\r\n"), $answer);
        $this->same('two keys', 400, self::statusOf("GET / HTTP/1.1\r\n$base$key$key\r\n"));
        $this->same('an empty key', 400, self::statusOf("GET / HTTP/1.1\r\n{$base}Sec-WebSocket-Key: \r\n\r\n"));
        $this->same('a long key', 400, self::statusOf("GET / HTTP/1.1\r\n{$base}Sec-WebSocket-Key: " . base64_encode(str_repeat('k', 32)) . "\r\n\r\n"));
        $this->same('no version', 426, self::statusOf("GET / HTTP/1.1\r\n" . str_replace("Sec-WebSocket-Version: 13\r\n", '', $base) . "$key\r\n"));
        $this->check('HTTP/1.0', self::statusOf("GET / HTTP/1.0\r\n$base$key\r\n") !== 101);
        $this->same('no host', 400, self::statusOf("GET / HTTP/1.1\r\n" . str_replace("Host: a\r\n", '', $base) . "$key\r\n"));
        $this->same('no Upgrade is plain HTTP', 200, self::statusOf("GET / HTTP/1.1\r\n" . str_replace("Upgrade: websocket\r\n", '', $base) . "$key\r\n"));
        $this->same('no Connection is plain HTTP', 200, self::statusOf("GET / HTTP/1.1\r\n" . str_replace("Connection: Upgrade\r\n", '', $base) . "$key\r\n"));
        foreach (['websocket, x', 'x, websocket', 'x,,WebSocket', "x\t, websocket ,"] as $list) {
            $answer = self::head("GET / HTTP/1.1\r\n" . str_replace('Upgrade: websocket', "Upgrade: $list", $base) . "$key\r\n");
            $this->check('Upgrade: ' . json_encode($list), str_starts_with($answer, 'http/1.1 101 ') && str_contains($answer, "upgrade: websocket\r\n"), $answer);
        }
        foreach (['websockets', 'websocket x', 'x'] as $list) {
            $this->same("Upgrade: $list is plain HTTP", 200, self::statusOf("GET / HTTP/1.1\r\n" . str_replace('Upgrade: websocket', "Upgrade: $list", $base) . "$key\r\n"));
        }
        $this->same('a body', 400, self::statusOf("GET / HTTP/1.1\r\n{$base}{$key}Content-Length: 3\r\n\r\nabc"));
        $this->same('a body in chunks', 400, self::statusOf("GET / HTTP/1.1\r\n{$base}{$key}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"));
        $this->same('CONNECT', 501, self::statusOf("CONNECT a:80 HTTP/1.1\r\n{$base}{$key}\r\n"));
    }

    public function testACloseFrameAndBadText(): void
    {
        $server = self::$server;
        foreach ([0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535] as $code) {
            $this->same("a close frame of code $code", 1002, self::end(WebSocketPeer::frame(pack('n', $code), 8)));
        }
        foreach ([1000, 1003, 1007, 1014, 3000, 4999] as $code) {
            $this->same("a close frame of code $code is answered with it", $code, self::end(WebSocketPeer::frame(pack('n', $code) . 'why', 8)));
        }
        $this->same('a close frame without a code is normal', 1000, self::end(WebSocketPeer::frame('', 8)));
        $this->same('a reason that is not UTF-8', 1007, self::end(WebSocketPeer::frame(pack('n', 1000) . "\xff", 8)));
        $this->same('nothing behind a close frame counts', 1000, self::end(WebSocketPeer::frame(pack('n', 1000), 8) . WebSocketPeer::frame('unheard') . WebSocketPeer::frame('p', 9)));
        $this->same('a continuation that is marked as compressed', 1002, self::end(WebSocketPeer::frame('x', 1, 0) . WebSocketPeer::frame('y', 0, 0xc0)));
        foreach (['overlong' => "\xc0\x80", 'a surrogate' => "\xed\xa0\x80", 'above the last' => "\xf4\x90\x80\x80", 'a lone tail' => "\x80", 'cut' => "\xe2\x82"] as $name => $text) {
            $this->same("text with $name", 1007, self::end(WebSocketPeer::frame("ok $text")));
            $this->same("text with $name in pieces", 1007, self::end(WebSocketPeer::frame('ok ', 1, 0) . WebSocketPeer::frame($text[0], 0, 0) . WebSocketPeer::frame(substr($text, 1) . '.', 0)));
        }
        $this->same('bad text is known before its message ends', 1007, self::end(WebSocketPeer::frame("ok \xff", 1, 0)));
        $peer = new WebSocketPeer($server);
        $peer->text();
        $peer->peer->send([WebSocketPeer::frame("a \xe2", 1, 0), WebSocketPeer::frame("\x82", 0, 0), WebSocketPeer::frame("\xac", 0)]);
        $this->same('a character in three pieces', '1 true 5 ' . md5('a €'), $peer->text());
    }

    public function testSizesAndAFloodOfPings(): void
    {
        [$server, $base, $key] = [self::$server, self::$base, self::$key];
        $before = self::memory();
        foreach ([1 << 20 | 1, 1 << 30, 1 << 62] as $length) {
            $this->same("a frame that announces $length bytes", 1009, self::end("\x82\xff" . pack('J', $length) . 'abcd' . str_repeat('x', 1000)));
        }
        $this->same('pieces above the limit', 1009, self::end(str_repeat(WebSocketPeer::frame(str_repeat('x', 60000), 2, 0), 1) . str_repeat(WebSocketPeer::frame(str_repeat('x', 60000), 0, 0), 18)));
        $this->same('100,000 empty pieces', 1009, self::end(WebSocketPeer::frame('', 2, 0) . str_repeat(WebSocketPeer::frame('', 0, 0), 100000)));
        $peer = new WebSocketPeer($server);
        $peer->text();
        $peer->peer->send([WebSocketPeer::frame('', 2, 0), str_repeat(WebSocketPeer::frame('y', 0, 0), 100000), WebSocketPeer::frame('', 0)]);
        $this->same('100,000 pieces of a byte are a message', '2 true 100000 ' . md5(str_repeat('y', 100000)), $peer->text());
        $peer->peer->close();
        $this->check('none of it took memory', self::memory() - $before < 8192, self::memory() - $before . ' KiB');

        // Pings of a peer that does not read the answers: it is not read from any more.
        $before = self::memory();
        $flood = stream_socket_client($server->address());
        stream_set_blocking($flood, false);
        fwrite($flood, "GET / HTTP/1.1\r\n$base$key\r\n");
        $pings = str_repeat(WebSocketPeer::frame(str_repeat('p', 125), 9), 1000);
        $sent = 0;
        $none = null;
        for ($at = 0; $sent < 100 << 20; $at = $sent % strlen($pings)) {
            $writable = [$flood];
            if (stream_select($none, $writable, $none, 1) === 0) {
                break;
            }
            $count = fwrite($flood, substr($pings, $at));
            if ($count === false) {
                break;
            }
            $sent += $count;
        }
        $this->check('a flood of pings is held up', $sent < 50 << 20, "$sent bytes were taken");
        $this->check('and takes little memory', self::memory() - $before < 12288, self::memory() - $before . ' KiB');
        fclose($flood);
    }

    public function testOffersOfCompression(): void
    {
        $server = self::$server;
        $accepted = static function (string $value) use ($server): ?string {
            return preg_match('~Sec-WebSocket-Extensions: (.*)\r~', (new WebSocketPeer($server, '/', self::offer($value)))->head, $match) === 1 ? $match[1] : null;
        };
        $this->same('an offer is taken', 'permessage-deflate', $accepted('permessage-deflate; client_max_window_bits'));
        $this->same('with what it asks for', 'permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10; client_max_window_bits=9',
            $accepted('permessage-deflate; client_no_context_takeover; server_no_context_takeover; server_max_window_bits=10; client_max_window_bits=9'));
        foreach (['permessage-deflate; what=1', 'permessage-deflate; server_no_context_takeover; server_no_context_takeover', 'permessage-deflate; server_max_window_bits=16',
            'permessage-deflate; server_max_window_bits=7', 'permessage-deflate; server_max_window_bits=08', 'permessage-deflate; server_max_window_bits', 'permessage-deflate; server_no_context_takeover=1', 'x-webkit-deflate-frame'] as $bad) {
            $this->same("declined: $bad", null, $accepted($bad));
        }
        $this->same('the next of several is taken', 'permessage-deflate', $accepted('permessage-deflate; server_max_window_bits=16, permessage-deflate'));
        foreach (['spaces' => 'permessage-deflate;' . str_repeat(' ', 30000) . 'what', 'parameters' => 'permessage-deflate' . str_repeat('; a=b', 9000), 'commas' => str_repeat(',', 30000), 'offers' => str_repeat('a;b=c,', 9000)] as $name => $value) {
            $start = microtime(true);
            $this->same("an offer of many $name is declined", null, $accepted($value));
            $this->check('at once', microtime(true) - $start < 2, sprintf('%.2f s', microtime(true) - $start));
        }
    }

    public function testCompressedMessages(): void
    {
        $server = self::$server;
        $deflated = static function (string $data): string {
            $context = deflate_init(ZLIB_ENCODING_RAW);
            return substr((string) deflate_add($context, $data, ZLIB_SYNC_FLUSH), 0, -4);
        };
        $peer = new WebSocketPeer($server, '/', self::offer('permessage-deflate; client_no_context_takeover; server_no_context_takeover'));
        $peer->text();
        $text = str_repeat('again and again. ', 500);
        $peer->peer->send([WebSocketPeer::frame($deflated($text), 1, 0xc0)]);
        $this->same('a compressed message', '1 true 8500 ' . md5($text), $peer->text());
        $pieces = str_split($deflated($text), 10);
        foreach ($pieces as $i => $piece) {
            $peer->peer->send([WebSocketPeer::frame($piece, $i === 0 ? 1 : 0, ($i === 0 ? 0x40 : 0) | ($i === count($pieces) - 1 ? 0x80 : 0))]);
        }
        $this->same('one in pieces', '1 true 8500 ' . md5($text), $peer->text());
        $peer->send('not compressed');
        $this->same('one that is not compressed', '1 true 14 ' . md5('not compressed'), $peer->text());
        $deflate = self::offer('permessage-deflate');
        $before = self::memory();
        $bomb = $deflated(str_repeat("\0", 256 << 20));
        $this->same('a bomb', 1009, self::end(WebSocketPeer::frame($bomb, 2, 0xc0), $deflate));
        $this->same('a bomb in pieces', 1009, self::end(implode('', array_map(static fn (string $piece, int $i): string => WebSocketPeer::frame($piece, $i === 0 ? 2 : 0, $i === 0 ? 0x40 : 0), $chunks = str_split($bomb, 8000), array_keys($chunks))), $deflate));
        $this->check('neither went off', self::memory() - $before < 8192, self::memory() - $before . ' KiB');
        $this->same('what is not deflate', 1007, self::end(WebSocketPeer::frame("\xff\xff\xff\xff", 2, 0xc0), $deflate));
        $this->same('a compressed ping', 1002, self::end(WebSocketPeer::frame('x', 9, 0xc0), $deflate));
        $this->same('a compressed continuation', 1002, self::end(WebSocketPeer::frame('x', 1, 0x40) . WebSocketPeer::frame('y', 0, 0xc0), $deflate));
        $this->same('compressed text that is not UTF-8', 1007, self::end(WebSocketPeer::frame($deflated("\xc0\xaf"), 1, 0xc0), $deflate));
        $this->same('RSV2', 1002, self::end(WebSocketPeer::frame('x', 1, 0xa0), $deflate));

        /** What a peer got of a broadcast, compressed or not; the context stays for the next where the server keeps its own. */
        $inflated = static function (WebSocketPeer $peer, \InflateContext $context): ?string {
            $frame = $peer->frameOf();
            return $frame === null || ($frame[2] & 0x40) === 0 ? $frame[1] ?? null : (string) inflate_add($context, "$frame[1]\0\0\xff\xff", ZLIB_SYNC_FLUSH);
        };
        $terms = ['permessage-deflate; server_no_context_takeover', 'permessage-deflate; server_no_context_takeover', 'permessage-deflate; server_no_context_takeover; server_max_window_bits=9',
            'permessage-deflate', ''];
        $peer->peer->close();
        $everybody = [];
        foreach ($terms as $term) {
            $one = new WebSocketPeer($server, '/', $term === '' ? '' : self::offer($term));
            $one->text();
            $everybody[] = [$one, inflate_init(ZLIB_ENCODING_RAW, ['window' => str_contains($term, '=9') ? 9 : 15])];
        }
        foreach (['squeezed', 'all', 'squeezed'] as $round => $word) {
            $everybody[0][0]->send("$word round $round,a,b");
            foreach ([str_repeat("round $round,a,b ", 2000), "round $round", 'a', 'b'] as $i => $expected) {
                $got = array_map(static fn (array $one): ?string => $inflated(...$one), $everybody);
                $this->same("frame $i of the broadcast \"$word\" reaches all as it is", array_fill(0, count($everybody), md5($expected)), array_map(static fn (?string $data): string => md5((string) $data), $got));
            }
        }
        $peer = $everybody[0][0];
        $peer->send('after all');
        $this->same('the server is well', '1 true 9 ' . md5('after all'), $peer->text());
        $this->same('and ends well', 0, $server->stop());
    }

    private static function head(string $request): string
    {
        $server = self::$server;
        $peer = new Peer($server->address());
        $peer->send([$request]);
        $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, "\r\n\r\n"));
        return strtolower((string) strstr($peer->received(), "\r\n\r\n", true)) . "\r\n";
    }

    private static function statusOf(string $request): int
    {
        return (int) substr(self::head($request), 9, 3);
    }

    /** The code of the close frame that ends the connection; a text says what else happened. */
    private static function end(string $bytes, string $fields = '', int $skip = 1): int|string
    {
        $server = self::$server;
        $peer = new WebSocketPeer($server, '/', $fields);
        for ($i = 0; $i < $skip; $i++) {
            $peer->text();  // of the event open
        }
        $peer->peer->send([$bytes]);
        $frame = $peer->frameOf();
        if ($frame === null || $frame[0] !== 8) {
            return $frame === null ? 'nothing' : "a frame of opcode $frame[0]";
        }
        $peer->peer->readToEnd();
        return $peer->peer->ended() ? (int) (unpack('n', $frame[1])[1] ?? 0) : 'no end';
    }

    private static function memory(): int
    {
        $server = self::$server;
        return (int) (preg_match('~VmRSS:\s+(\d+)~', (string) file_get_contents("/proc/{$server->workerPid()}/status"), $match) === 1 ? $match[1] : 0);
    }

    private static function offer(string $value): string
    {
        return "Sec-WebSocket-Extensions: $value\r\n";
    }
}
