<?php

declare(strict_types=1);

/* WebSocket endpoints of stampede serve: which pages may connect, and what one client can hold. */

namespace Stampede\Tests\E2e;

final class launcher_endpoints_test extends EndToEndTest
{
    private const ENDPOINTS = <<<'PHP'
        <?php
        return ['websocket' => ['/echo' => static function ($response): void {
            while (($frame = $response->recv()) !== false && $frame !== '') {
                if ($frame instanceof Swoole\WebSocket\Frame && $frame->opcode <= 2) {
                    $response->push((string) strlen($frame->data));
                }
            }
        }]];
        PHP;

    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = $app = new Application('plain');
        file_put_contents("{$app->folder}/endpoints.php", self::ENDPOINTS);
    }

    private static function opens(string $origin, string $host = 'shop.example'): int
    {
        $fields = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', ...($origin === '' ? [] : ["Origin: {$origin}"])];
        $peer = new Peer('tcp://127.0.0.1:' . self::$app->port);
        $peer->send(["GET /echo HTTP/1.1\r\nHost: {$host}\r\n" . implode("\r\n", $fields) . "\r\n\r\n"]);
        return (int) substr($peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, "\r\n\r\n"), 10.0), 9, 3);
    }

    public function testOrigins(): void
    {
        $app = self::$app;
        $this->check('it serves', $app->serve(['--workers=1', '--env=prod', '--endpoints=endpoints.php']), $app->output());
        foreach ([
            'no browser' => ['', 101],
            'the own page' => ['http://shop.example', 101],
            'behind a proxy with TLS' => ['https://shop.example', 101],
            'in capitals' => ['HTTPS://Shop.Example:443', 101],
            'another site' => ['https://evil.example', 403],
            'one whose name begins alike' => ['https://shop.example.evil.example', 403],
            'another port' => ['http://shop.example:8080', 403],
            'no origin at all' => ['null', 403],
            'nonsense' => ['http://shop.example/@evil', 403],
        ] as $name => [$origin, $status]) {
            $this->same("a page of {$name}", $status, self::opens($origin));
        }
        $this->same('the own page on another port', 101, self::opens('http://shop.example:8080', 'shop.example:8080'));
        $app->stop();
        $app->serve(['--workers=1', '--env=prod', '--endpoints=endpoints.php', '--origins=https://admin.example, http://localhost:3000']);
        $this->same('origins that are named', [101, 101, 403], [self::opens('https://admin.example'), self::opens('http://localhost:3000'), self::opens('http://localhost:3001')]);
        $app->stop();
        $app->serve(['--workers=1', '--env=prod', '--endpoints=endpoints.php', '--origins=*']);
        $this->same('or all', 101, self::opens('https://evil.example'));
        $app->stop();
        $this->check('what is no origin is refused', !$app->serve(['--origins=example.com']) && str_contains($app->output(), '"example.com" is none; it must be like https://example.com'), $app->output());
        $app->stop();
    }

    public function testWhatAClientCanHold(): void
    {
        $app = self::$app;
        $app->serve(['--workers=1', '--env=prod', '--endpoints=endpoints.php', '--server={"websocket_message_timeout":0.5,"websocket_idle_time":2}']);
        $peer = new WebSocketPeer("tcp://127.0.0.1:{$app->port}", '/echo');
        $peer->send(str_repeat('x', 1 << 20));
        $this->same('a message of 1 MiB', '1048576', $peer->text());
        $peer->send(str_repeat('x', (1 << 20) + 1));
        $this->same('a larger one closes the connection with 1009', [8, 1009], [($frame = $peer->frameOf())[0] ?? null, unpack('n', $frame[1] ?? "\0\0")[1]]);

        foreach (['in one frame' => substr(WebSocketPeer::frame(str_repeat('x', 1000)), 0, 500), 'in fragments' => WebSocketPeer::frame('begun', 1, 0)] as $name => $bytes) {
            $peer = new WebSocketPeer("tcp://127.0.0.1:{$app->port}", '/echo');
            $peer->send('whole');
            $this->same('a whole message', '5', $peer->text());
            $peer->peer->send([$bytes]);
            $began = microtime(true);
            $peer->peer->readToEnd(10.0);
            $this->check("one that is not finished {$name} ends the connection in its time", microtime(true) - $began < 1.9);
        }
        $peer = new WebSocketPeer("tcp://127.0.0.1:{$app->port}", '/echo');
        $this->same('a silent client is sent a ping', 9, $peer->frameOf()[0] ?? null);
        $began = microtime(true);
        $peer->peer->readToEnd(10.0);
        $this->check('and cut off when it does not reply', microtime(true) - $began < 8.0);
        $app->stop();
    }
}
