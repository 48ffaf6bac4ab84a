<?php

declare(strict_types=1);

/*
 * Swoole\WebSocket\Server: handshakes, messages, control frames, pushing, closing, and peers that break the rules.
 */

namespace Stampede\Tests\E2e;

final class websocket_server_test extends EndToEndTest
{
    private static Server $server;

    public static function setUpBeforeClass(): void
    {
        self::$server = new Server('websocket', ['package_max_length' => 200000, '_disconnect' => true]);
    }

    public function testMessagesPushesAndEnds(): void
    {
        $server = self::$server;
        $peer = new WebSocketPeer($server, '/chat?name=ann', '', WebSocketPeer::frame('right behind the request'));
        $this->check('the handshake is answered', str_starts_with($peer->head, "HTTP/1.1 101 ") && str_contains($peer->head, 'Sec-WebSocket-Accept: ' . WebSocketPeer::ACCEPT . "\r\n"), $peer->head);
        $this->same('open comes first and may push', [1, 'open /chat ann true', 0x80], $peer->frameOf());
        $this->same('a frame behind the request counts', '1 true 24 ' . md5('right behind the request'), $peer->text());
        foreach ([0, 1, 125, 126, 127, 65535, 65536, 200000] as $size) {
            $data = str_repeat('x', $size);
            $peer->send($data);
            $this->same("a text of $size bytes", "1 true $size " . md5($data), $peer->text());
        }
        $peer->send("\xff\x00\xfe", 2);
        $this->same('binary', '2 true 3 ' . md5("\xff\x00\xfe"), $peer->text());
        $peer->peer->send([WebSocketPeer::frame('in ', 1, 0), WebSocketPeer::frame('a ping', 9), WebSocketPeer::frame('pie', 0, 0), WebSocketPeer::frame('ces', 0)]);
        $this->same('a ping between the pieces is answered', [10, 'a ping', 0x80], $peer->frameOf());
        $this->same('the pieces are one message', '1 true 9 ' . md5('in pieces'), $peer->text());
        foreach (str_split(WebSocketPeer::frame('byte by byte')) as $byte) {
            $peer->peer->send([$byte]);
        }
        $this->same('byte by byte', '1 true 12 ' . md5('byte by byte'), $peer->text());
        $peer->send('binary abc');
        $this->same('a binary answer', [2, 'cba', 0x80], $peer->frameOf());
        $peer->send('big 300000');
        $this->same('a big answer', 300000, strlen((string) $peer->text()));
        $peer->send('sleep');
        $peer->send('not waiting');
        $this->same('a message that waits holds nobody up', '1 true 11 ' . md5('not waiting'), $peer->text());
        $this->same('and is finished later', 'slept', $peer->text());
        $peer->send('throw');
        $peer->send('after');
        $this->same('an exception ends its message alone', '1 true 5 ' . md5('after'), $peer->text());
        $this->check('and is logged', Server::until(10.0, static fn (): bool => str_contains($server->output(), 'in a message')), $server->output());
        $peer->send('status');
        $this->same('getClientInfo() says that a connection can be pushed to', '3', $peer->text());
        $plain = new Peer($server->address());
        $plain->send(["GET /status HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $this->same('... and that another one cannot', '1', ($plain->answers(1)[0] ?? null)?->body);
        $plain->close();
        $peer->send('unknown');
        $this->same('pushing to nobody', '[false,8503,false]', $peer->text());

        $others = [new WebSocketPeer($server), new WebSocketPeer($server)];
        $peer->send('others hello');
        $this->same('all others are told', ['told 2', 'hello', 'hello'], [$peer->text(), ($others[0]->text() !== null) ? $others[0]->text() : null, ($others[1]->text() !== null) ? $others[1]->text() : null]);
        $others[0]->send(pack('n', 1000) . 'bye', 8);
        $this->same('a close frame is answered with its code', [8, pack('n', 1000), 0x80], $others[0]->frameOf());
        $this->check('then the connection ends', $others[0]->peer->readToEnd() !== '' && $others[0]->peer->ended());
        $others[1]->send('disconnect');
        $this->same('disconnect() gives code and reason', [8, pack('n', 4001) . 'as you wish', 0x80], $others[1]->frameOf());
        $others[1]->send(pack('n', 4001), 8);
        $others[1]->peer->readToEnd();
        $this->check('both ended', $others[1]->peer->ended());
        $this->check('close was told, for each', Server::until(10.0, static function () use ($peer): bool {
            static $closes = 0;
            $peer->send('seen');
            $closes += substr_count((string) $peer->text(), 'close false');
            return $closes === 2;
        }));
    }

    public function testBrokenRules(): void
    {
        $server = self::$server;
        $peer = new WebSocketPeer($server);
        $peer->text();
        $rules = [
            'an unmasked frame' => [WebSocketPeer::frame('x', 1, 0x80, ''), 1002],
            'a reserved bit' => [WebSocketPeer::frame('x', 1, 0xc0), 1002],
            'an unknown opcode' => [WebSocketPeer::frame('x', 3), 1002],
            'an unknown control opcode' => [WebSocketPeer::frame('x', 11), 1002],
            'a continuation of nothing' => [WebSocketPeer::frame('x', 0), 1002],
            'a text within a text' => [WebSocketPeer::frame('x', 1, 0) . WebSocketPeer::frame('y'), 1002],
            'a ping in pieces' => [WebSocketPeer::frame('x', 9, 0), 1002],
            'a ping of 126 bytes' => [WebSocketPeer::frame(str_repeat('p', 126), 9), 1002],
            'text that is not UTF-8' => [WebSocketPeer::frame("\xc0\xaf"), 1007],
            'a close code that must not be sent' => [WebSocketPeer::frame(pack('n', 1005), 8), 1002],
            'a close frame of one byte' => [WebSocketPeer::frame('x', 8), 1002],
            'a length with its top bit set' => ["\x81\xff" . str_repeat("\xff", 8) . 'abcd', 1002],
            'a message over the limit' => [WebSocketPeer::frame(str_repeat('x', 200001)), 1009],
        ];
        foreach ($rules as $name => [$bytes, $code]) {
            $bad = new WebSocketPeer($server);
            $bad->text();
            $bad->peer->send([$bytes]);
            $frame = $bad->frameOf();
            $this->same("$name ends with its code", [8, $code], $frame === null ? null : [$frame[0], unpack('n', $frame[1])[1] ?? 0]);
            $bad->peer->readToEnd();
            $this->check('and with the connection', $bad->peer->ended());
        }
        $handshakes = [
            'without a key' => ["GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n", 400],
            'a key of the wrong length' => ["GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: YWJj\r\n\r\n", 400],
            'an old version' => ["GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\nSec-WebSocket-Key: " . WebSocketPeer::KEY . "\r\n\r\n", 426],
            'by POST' => ["POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nContent-Length: 0\r\nSec-WebSocket-Key: " . WebSocketPeer::KEY . "\r\n\r\n", 400],
        ];
        foreach ($handshakes as $name => [$request, $status]) {
            $bad = new Peer($server->address());
            $bad->send([$request]);
            $this->same("a handshake $name is refused", $status, ($bad->answers(1)[0] ?? null)?->status);
        }
        $this->same('plain HTTP beside it', 'plain', ask($server, '/')[1]);
        $peer->send('seen');
        $this->check('a connection that never was one is told as disconnect', str_contains((string) $peer->text(), 'disconnect'));
    }

    public function testAServerThatEnds(): void
    {
        $server = self::$server;
        $peer = new WebSocketPeer($server);
        $peer->text();
        posix_kill($server->pid(), SIGTERM);
        $this->same('a server that ends says going away', [8, pack('n', 1001), 0x80], $peer->frameOf());
        $peer->send(pack('n', 1001), 8);
        $this->same('and ends well', 0, $server->stop());
    }

    public function testHandshakesOfTheApplication(): void
    {
        $server = new Server('websocket', ['_handshake' => true, '_no_http' => true]);
        $peer = new WebSocketPeer($server, '/?token=1');
        $this->check('the application answers the handshake', str_starts_with($peer->head, 'HTTP/1.1 101 ') && str_contains(strtolower($peer->head), "sec-websocket-protocol: chat\r\n")
            && substr_count(strtolower($peer->head), strtolower('Sec-WebSocket-Accept: ' . WebSocketPeer::ACCEPT)) === 1 && substr_count(strtolower($peer->head), "upgrade: websocket\r\n") === 1, $peer->head);
        $peer->send('abc');
        $this->same('and messages come', '1 true 3 ' . md5('abc'), $peer->text());
        $this->check('or it refuses', str_starts_with((new WebSocketPeer($server))->head, 'HTTP/1.1 403 '));
        $this->same('without the event request plain HTTP is a bad request', 400, ask($server, '/')[0]);
        $this->same('it ends well', 0, $server->stop());
    }

    public function testBeforeHandshakeResponse(): void
    {
        $server = new Server('websocket', ['_before' => true, 'websocket_subprotocol' => 'soup']);
        $peer = new WebSocketPeer($server, '/before?name=ann', "Origin: good\r\n", WebSocketPeer::frame('right behind'));
        $fields = strtolower($peer->head);
        $this->check('beforeHandshakeResponse adds to the answer', str_starts_with($peer->head, 'HTTP/1.1 101 ') && preg_match('~x-fd: [0-9]+\r~', $fields) === 1 && str_contains($fields, 'set-cookie: seen=yes')
            && str_contains($peer->head, 'Sec-WebSocket-Accept: ' . WebSocketPeer::ACCEPT . "\r\n"), $peer->head);
        $this->same('and its sub-protocol counts', 1, preg_match_all('~sec-websocket-protocol: (\w+)\r~', $fields, $protocols));
        $this->same('not that of the settings', ['chosen'], $protocols[1]);
        $this->same('open follows', 'open /before ann true', $peer->text());
        $this->same('then what was behind the request', '1 true 12 ' . md5('right behind'), $peer->text());
        $this->check('another answer refuses the handshake', str_starts_with((new WebSocketPeer($server, '/', "Origin: evil\r\n"))->head, 'HTTP/1.1 403 '));
        $this->check('an exception does', str_starts_with((new WebSocketPeer($server, '/?what=throw'))->head, 'HTTP/1.1 500 '));
        $this->check('which is logged', Server::until(10.0, static fn (): bool => str_contains($server->output(), 'in the handshake')), $server->output());
        $this->check('exit() too', str_starts_with((new WebSocketPeer($server, '/?what=exit'))->head, 'HTTP/1.1 500 '));
        $this->same('and ends well', 0, $server->stop());
    }

    public function testHeartbeats(): void
    {
        $server = new Server('websocket', ['heartbeat_idle_time' => 1]);
        $silent = new WebSocketPeer($server);
        $living = new WebSocketPeer($server);
        $this->same('both are there', ['open /  true', 'open /  true'], [$silent->text(), $living->text()]);
        for ($answered = 0; $answered < 4 && $living->frameOf() === [9, '', 0x80]; $answered++) {
            $living->send('', 10);
        }
        $this->same('a heartbeat asks who is silent', [9, '', 0x80], $silent->frameOf());
        $this->check('and cuts off who does not answer', $silent->frameOf() === null && $silent->peer->ended());
        $this->same('who answers is asked again', 4, $answered);
        $living->send('well');
        $this->same('and stays', '1 true 4 ' . md5('well'), (static function () use ($living): ?string {
            while (($frame = $living->frameOf()) !== null && $frame[0] === 9) {
                $living->send('', 10);
            }
            return $frame[1] ?? null;
        })());
        $this->same('the server ends well', 0, $server->stop());
    }

    public function testSettingsOfFrames(): void
    {
        $server = new Server('websocket', ['websocket_subprotocol' => 'soup', 'open_websocket_ping_frame' => true, 'open_websocket_close_frame' => true]);
        $this->check('no sub-protocol for a client that offers none, or another one', !str_contains((new WebSocketPeer($server))->head, 'Protocol:')
            && !str_contains((new WebSocketPeer($server, '/', "Sec-WebSocket-Protocol: soups, so\r\n"))->head, 'Protocol:'));
        $peer = new WebSocketPeer($server, '/', "Sec-WebSocket-Protocol: other, soup\r\n");
        $this->check('the sub-protocol of the settings', str_contains($peer->head, "Sec-WebSocket-Protocol: soup\r\n"), $peer->head);
        $peer->text();
        $peer->send('p', 9);
        $this->same('pings are messages when asked for', '9 true 1 ' . md5('p'), $peer->text());
        $watcher = new WebSocketPeer($server);
        $watcher->text();
        $watcher->send('seen');
        $watcher->text();  // of connections before
        foreach ([[pack('n', 4001) . 'because', 'closed 4001 because', 4001], ['', 'closed 1005 ', 1000]] as [$payload, $told, $code]) {
            $leaver = new WebSocketPeer($server);
            $leaver->text();
            $leaver->send($payload, 8);
            $this->same('a close frame is answered with its code alone', [8, pack('n', $code), 0x80], $leaver->frameOf());
            $seen = [];
            Server::until(5.0, static function () use ($watcher, &$seen): bool {
                $watcher->send('seen');
                $seen = [...$seen, ...json_decode((string) $watcher->text(), true)];
                return count($seen) >= 2;
            });
            $this->same('... and the application is told code and reason, then the end', [$told, 'close false'], $seen);
        }
    }
}
