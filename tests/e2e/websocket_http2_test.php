<?php

declare(strict_types=1);

/*
 * WebSockets on streams of HTTP/2 (RFC 8441): handshakes, messages, flow control both ways, ends of each kind, and other streams beside.
 */

namespace Stampede\Tests\E2e;

final class websocket_http2_test extends EndToEndTest
{
    public function testMessagesFloodsAndEnds(): void
    {
        $server = new Server('websocket', ['open_http2_protocol' => true, 'package_max_length' => 1 << 20]);
        $peer = self::connect($server);
        $this->check('the settings say that WebSockets may be opened', self::offers($peer));
        $chat = new Http2Tunnel($peer, 1, '/chat?name=ann');
        $this->same('the handshake is answered with 200', 200, $chat->status());
        $this->same('open comes first and may push', [1, 'open /chat ann true'], $chat->frameOf());
        $chat->send('hello');
        $this->same('a message', '1 true 5 ' . md5('hello'), $chat->text());
        foreach (str_split(WebSocketPeer::frame('byte by byte')) as $byte) {
            $chat->raw($byte);
        }
        $this->same('byte by byte', '1 true 12 ' . md5('byte by byte'), $chat->text());
        $chat->send('p', 9);
        $this->same('a ping is answered', [10, 'p'], $chat->frameOf());
        $large = str_repeat('x', 700000);
        $chat->send($large);
        $this->same('a large message', '1 true 700000 ' . md5($large), $chat->text());
        $chat->send($large);
        $this->same('and another: the window was given back', '1 true 700000 ' . md5($large), $chat->text());

        $second = new Http2Tunnel($peer, 3);
        $this->same('a second one on the same connection', [200, 'open /  true'], [$second->status(), $second->text()]);
        $peer->send(Http2Peer::get(5));
        $this->same('a plain request beside them', ['status 200', 'plain'], [$peer->outcome(5), $peer->body(5)]);
        $old = new WebSocketPeer($server);
        $old->text();
        $chat->send('others to all');
        $this->same('numbers of their own: a push reaches the others', ['told 2', 'to all', 'to all'], [$chat->text(), $second->text(), $old->text()]);
        $chat->send('who');
        $second->send('who');
        $old->send('who');
        [[$chatFd, $address, $exists, $count], [$secondFd], [$oldFd]] = array_map(static fn (?string $text): array => json_decode((string) $text, true), [$chat->text(), $second->text(), $old->text()]);
        $this->check('each has its number', count(array_unique([$chatFd, $secondFd, $oldFd])) === 3);
        $this->same('with an address, and counted beside its carrier', ['127.0.0.1', true, 4], [$address, $exists, $count]);

        // Towards the server: who leaves the answers unread is not read from, and the others of the connection do not notice.
        $flood = self::connect($server, [4 => 0]);
        $tunnel = new Http2Tunnel($flood, 1);
        $this->same('the handshake needs no window', 200, $tunnel->status());
        $given = static function (Http2Peer $peer, int $stream): int {
            $sum = 0;
            foreach ($peer->frames() as $frame) {
                $sum += $frame['type'] === Http2Peer::WINDOW_UPDATE && $frame['stream'] === $stream ? (int) unpack('N', $frame['payload'])[1] : 0;
            }
            return $sum;
        };
        $pings = str_repeat(WebSocketPeer::frame(str_repeat('p', 120), 9), 8000);
        $sent = 0;
        $window = 1 << 20;
        while ($sent < 32 << 20 && $flood->until(static fn (Http2Peer $peer): bool => $window + $given($peer, 1) - $sent >= 65536, 1.0)) {
            $tunnel->raw(substr($pings, $sent % strlen($pings), 65536));
            $sent += min(65536, strlen($pings) - $sent % strlen($pings));
        }
        $this->check('a flood of pings is held up by the stream\'s window', $sent < 8 << 20, "$sent bytes were taken");
        $flood->send(Http2Peer::post(3), Http2Peer::frame(Http2Peer::DATA, Http2Peer::END_STREAM, 3, 'abc'));
        $this->check('not the connection\'s', $flood->until(static fn (Http2Peer $peer): bool => $peer->status(3) === 200));
        $flood->close();

        // Ends.
        $chat->send(pack('n', 1000) . 'bye', 8);
        $this->same('a close frame is answered', [8, pack('n', 1000)], $chat->frameOf());
        $this->check('and the stream ends, without an error', $chat->ends() && in_array($peer->reset(1), [null, 'NO_ERROR'], true), (string) $peer->reset(1));
        $second->send('disconnect');
        $this->same('disconnect() says goodbye', [8, pack('n', 4001) . 'as you wish'], $second->frameOf());
        $second->raw(WebSocketPeer::frame(pack('n', 4001), 8), Http2Peer::END_STREAM);
        $this->check('and ends when it is answered', $second->ends());
        $closes = 0;
        $told = static function (int $wanted) use ($old, &$closes): bool {
            return Server::until(10.0, static function () use ($old, $wanted, &$closes): bool {
                $old->send('seen');
                $closes += substr_count((string) $old->text(), 'close');
                return $closes >= $wanted;
            });
        };
        $this->check('close was told for each', $told(3), "$closes");  // the flood's too, and its carrier's
        $closes = 0;
        $ended = new Http2Tunnel($peer, 7);
        $ended->text();
        $ended->raw('', Http2Peer::END_STREAM);
        $this->check('a peer that ends without a word', $ended->ends());
        $reset = new Http2Tunnel($peer, 9);
        $reset->text();
        $peer->send(Http2Peer::frame(Http2Peer::RST_STREAM, 0, 9, pack('N', 8)));
        $closed = new Http2Tunnel($peer, 11);
        $closed->text();
        $closed->send('close');
        $this->check('close() by the application ends the stream', $closed->ends());
        $this->check('each was told', $told(3), "$closes");
        $peer->send(Http2Peer::get(13));
        $this->same('the connection goes on', 'status 200', $peer->outcome(13));
        $closes = 0;
        $many = self::connect($server);
        foreach ([1, 3, 5] as $stream) {
            (new Http2Tunnel($many, $stream))->text();
        }
        $many->close();
        $this->check('the end of the connection is that of its tunnels', $told(3), "$closes");
    }

    public function testTheWindowOfThePeer(): void
    {
        $server = new Server('websocket', ['open_http2_protocol' => true, 'package_max_length' => 1 << 20]);
        // Flow control towards the peer: 65,535 bytes, then as many as it allows.
        $narrow = self::connect($server);
        $tunnel = new Http2Tunnel($narrow, 1);
        $tunnel->text();
        $tunnel->send('big 300000');
        $narrow->until(static fn (): bool => $tunnel->size() >= 65535);
        $before = $tunnel->size();
        $narrow->send(Http2Peer::get(3));
        $this->same('nothing above the window', 65535, $before);
        $narrow->send(Http2Peer::frame(Http2Peer::WINDOW_UPDATE, 0, 0, pack('N', 1 << 20)));
        $this->same('a stream beside goes on', 'status 200', $narrow->outcome(3));
        $this->same('its window alone holds it', 65535, $tunnel->size());
        $narrow->send(Http2Peer::frame(Http2Peer::WINDOW_UPDATE, 0, 1, pack('N', 1 << 20)));
        $this->same('the rest follows', 300000, strlen((string) $tunnel->text()));
    }

    public function testWhatIsRefused(): void
    {
        $server = new Server('websocket', ['open_http2_protocol' => true, 'package_max_length' => 1 << 20]);
        $bad = self::connect($server);
        $outcome = static fn (int $stream, array $more, int $flags = Http2Peer::END_HEADERS): string => (new Http2Tunnel($bad, $stream, '/', $more, $flags))->peer->outcome($stream);
        $this->same('another protocol', 'status 501', $outcome(1, [[':protocol', 'connect-udp']]));
        $this->same('another version', 'status 426', $outcome(3, [['sec-websocket-version', '8']]));
        $this->same('a stream that is ended at once', 'status 400', $outcome(5, [], Http2Peer::END_HEADERS | Http2Peer::END_STREAM));
        $this->same('a key that is none', 'status 400', $outcome(7, [['sec-websocket-key', 'abc']]));
        $this->same('GET with a protocol', 'reset PROTOCOL_ERROR', $outcome(9, [[':method', 'GET']]));
        $bad->send(Http2Peer::frame(Http2Peer::HEADERS, Http2Peer::END_HEADERS, 11, Http2Peer::block([[':method', 'CONNECT'], [':authority', 'a:80']])));
        $this->same('CONNECT without a protocol', 'status 501', $bad->outcome(11));
        $wrong = new Http2Tunnel($bad, 13);
        $wrong->text();
        $wrong->raw(WebSocketPeer::frame('unmasked', 1, 0x80, ''));
        $this->same('rules of WebSocket hold', [8, pack('n', 1002)], $wrong->frameOf());
        $this->check('and end the stream', $wrong->ends());
        $still = new Http2Tunnel($bad, 15);
        $this->same('not the connection', 'open /  true', $still->text());

        posix_kill($server->pid(), SIGTERM);
        $this->same('a server that ends says going away', [8, pack('n', 1001)], $still->frameOf());
        $still->raw(WebSocketPeer::frame(pack('n', 1001), 8), Http2Peer::END_STREAM);
        $this->check('then the connection ends', $bad->until(static fn (Http2Peer $peer): bool => $peer->ended()));
        $this->same('and ends well', 0, $server->stop());
    }

    public function testTheApplicationMayRefuse(): void
    {
        $server = new Server('websocket', ['open_http2_protocol' => true, '_before' => true, 'websocket_compression' => true, 'websocket_subprotocol' => 'soup']);
        $peer = self::connect($server);
        $tunnel = new Http2Tunnel($peer, 1, '/', [['origin', 'evil']]);
        $this->same('the application may refuse', [403, true], [$tunnel->status(), $tunnel->ends()]);
        $tunnel = new Http2Tunnel($peer, 3, '/', [['sec-websocket-extensions', 'permessage-deflate']]);
        $this->same('or go on', [200, 'open /  true'], [$tunnel->status(), $tunnel->text()]);
        $block = (static function () use ($peer): string {
            foreach ($peer->frames() as $frame) {
                if ($frame['type'] === Http2Peer::HEADERS && $frame['stream'] === 3) {
                    return $frame['payload'];
                }
            }
            return '';
        })();
        $this->check('the answer has no fields of HTTP/1', $block !== '' && !str_contains($block, 'upgrade') && !str_contains($block, WebSocketPeer::ACCEPT));
        $context = deflate_init(ZLIB_ENCODING_RAW);
        $text = str_repeat('again and again. ', 500);
        $tunnel->raw(WebSocketPeer::frame(substr((string) deflate_add($context, $text, ZLIB_SYNC_FLUSH), 0, -4), 1, 0xc0));
        $this->same('a compressed message', '1 true 8500 ' . md5($text), $tunnel->text());
        $this->same('it ends well', 0, $server->stop());
    }

    public function testAnApplicationThatAnswersHandshakesItself(): void
    {
        $server = new Server('websocket', ['open_http2_protocol' => true, '_handshake' => true]);
        $peer = self::connect($server);
        $this->same('an application that answers handshakes itself', [403, 200], [(new Http2Tunnel($peer, 1))->status(), (new Http2Tunnel($peer, 3, '/?token=1'))->status()]);
    }

    public function testUpgradesOfTheCoroutineServer(): void
    {
        $server = new Server('coroutine_server', ['open_http2_protocol' => true]);
        $peer = self::connect($server);
        $tunnel = new Http2Tunnel($peer, 1, '/ws');
        $this->same('Response::upgrade() on a stream', 200, $tunnel->status());
        $tunnel->send('hello');
        $this->same('messages come back', 'hello', $tunnel->text());
        $tunnel->send('bye');
        $this->same('disconnect() says goodbye', [8, pack('n', 4000) . 'as you wish'], $tunnel->frameOf());
        $tunnel->raw(WebSocketPeer::frame(pack('n', 4000), 8), Http2Peer::END_STREAM);
        $this->check('and ends the stream', $tunnel->ends());
        $flood = new Http2Tunnel($peer, 3, '/ws');
        $flood->status();
        $flood->send('flood');
        $this->check('push() waits for a peer that does not read', $flood->peer->until(static fn (): bool => $flood->size() >= 60000));
        $peer->send(Http2Peer::frame(Http2Peer::RST_STREAM, 0, 3, pack('N', 8)));
        $this->same('no upgrade is no tunnel', 501, (new Http2Tunnel($peer, 5, '/longer'))->status());
        $peer->close();
        $ended = static fn (): int => json_decode(ask($server, '/stats')[1], true)[2];
        $this->check('every handler came to its end', Server::until(10.0, static fn (): bool => $ended() === 2), (string) $ended());
        $this->same('it ends well', 0, $server->stop());
    }

    public function testAServerWithoutWebSockets(): void
    {
        $server = new Server('http2', []);
        $peer = self::connect($server);
        $this->check('a server whose request handler may upgrade offers WebSockets', self::offers($peer));
        $this->same('a handshake that the handler does not take opens nothing', 'status 501', (new Http2Tunnel($peer, 1))->peer->outcome(1));
        $this->same('it ends well', 0, $server->stop());
    }

    private static function connect(Server $server, array $settings = []): Http2Peer
    {
        $peer = new Http2Peer($server->address(), $settings);
        $peer->until(static fn (Http2Peer $peer): bool => $peer->frames() !== []);
        return $peer;
    }

    private static function offers(Http2Peer $peer): bool
    {
        return array_filter($peer->frames(), static fn (array $frame): bool => $frame['type'] === Http2Peer::SETTINGS
            && str_contains($frame['payload'], pack('nN', 8, 1))) !== [];
    }
}
