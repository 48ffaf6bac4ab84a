<?php

declare(strict_types=1);

/* Bodies in memory that are each below their limit: stampede serve has one limit for all of them together. */

namespace Stampede\Tests\E2e;

final class body_memory_test extends EndToEndTest
{
    private const ENDPOINTS = <<<'PHP'
        <?php
        return ['websocket' => ['/echo' => static function ($response): void {
            while (($frame = $response->recv()) instanceof Swoole\WebSocket\Frame) {
                $response->push((string) strlen($frame->data));
            }
        }]];
        PHP;
    private const BOUNDARY = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n";

    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = new Application('plain');
        file_put_contents(self::$app->folder . '/public/index.php', "<?php echo strlen(file_get_contents('php://input')) + strlen(\$_POST['a'] ?? '');");
        file_put_contents(self::$app->folder . '/endpoints.php', self::ENDPOINTS);
    }

    private function serve(string $isolation): void
    {
        $settings = json_encode(['body_max_total' => '4M', 'open_http2_protocol' => true, 'websocket_max_message' => '3M']);
        $this->check("{$isolation}: it is served", self::$app->serve(['--workers=1', '--env=prod', "--isolation={$isolation}", '--endpoints=endpoints.php', "--server={$settings}"]), self::$app->output());
    }

    private static function address(): string
    {
        return 'tcp://127.0.0.1:' . self::$app->port;
    }

    private static function post(int $size, int $sent, string $fields = '', string $before = ''): Peer
    {
        $peer = new Peer(self::address());
        $peer->send(["POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{$fields}Content-Length: {$size}\r\n\r\n" . substr($before . str_repeat('a', $size), 0, $sent)]);
        return $peer;
    }

    /** @return list<Peer> */
    private static function twice(string $fields = '', string $before = ''): array
    {
        return [self::post(1_990_000, 1_980_000, $fields, $before), self::post(1_990_000, 1_980_000, $fields, $before)];
    }

    private static function isFull(): bool
    {
        return preg_match('~^HTTP/1.1 503 .*\r\nRetry-After: 1\r\n~s', self::post(1_000_000, 1_000_000)->readToEnd(10.0)) === 1;
    }

    /** Whether the server has read what all clients have sent: a request that comes earlier takes the room of theirs. */
    private static function hasReadAll(): bool
    {
        $port = sprintf('%04X', self::$app->port);
        preg_match_all("/:(?:{$port} [0-9A-F]+:[0-9A-F]{4}|[0-9A-F]{4} [0-9A-F]+:{$port}) 01 ([0-9A-F]{8}):([0-9A-F]{8}) /", (string) file_get_contents('/proc/net/tcp'), $queues);
        return array_unique([...$queues[1], ...$queues[2]]) === ['00000000'];
    }

    private static function curl(string $options): string
    {
        return (string) shell_exec("curl -s -m 10 -D- -X POST {$options} http://127.0.0.1:" . self::$app->port . '/ 2>&1');
    }

    public function testBodies(): void
    {
        foreach (['process', 'coroutine'] as $isolation) {
            $this->serve($isolation);
            $kinds = ['bodies' => ['', ''], 'chunked' => null];
            $kinds += $isolation === 'coroutine' ? ['fields of forms' => ["Content-Type: multipart/form-data; boundary=b\r\n", self::BOUNDARY]] : [];
            foreach ($kinds as $name => $form) {
                $unfinished = $form === null ? array_map(self::chunked(...), [0, 1]) : self::twice(...$form);
                $this->check("{$isolation}, {$name}: two are read", Server::until(10.0, self::hasReadAll(...)));
                $this->check("{$isolation}, {$name}: a third one gets 503 and a time", Server::until(10.0, self::isFull(...)), self::post(1_000_000, 1_000_000)->readToEnd(10.0));
                file_put_contents($file = self::$app->folder . '/large', str_repeat('a', 1_000_000));
                $response = self::curl('--http2-prior-knowledge --data-binary @' . escapeshellarg($file));
                $this->check("{$isolation}, {$name}: so does one of HTTP/2", preg_match('~^HTTP/2 503 .*\r\nretry-after: 1\r\n~s', $response) === 1, $response);
                $this->same("{$isolation}, {$name}: small ones go on", '9000', explode("\r\n\r\n", self::post(9000, 9000)->readToEnd(10.0))[1] ?? '');
                unset($unfinished);
                $this->check("{$isolation}, {$name}: there is room again when clients have gone", Server::until(10.0, static fn (): bool => !self::isFull()));
            }
            self::$app->stop();
        }
    }

    private static function chunked(): Peer
    {
        $peer = new Peer(self::address());
        $peer->send(["POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "1e3000\r\n" . str_repeat('a', 0x1e2000)]);
        return $peer;
    }

    public function testMessages(): void
    {
        $this->serve('coroutine');
        $open = static fn (): WebSocketPeer => new WebSocketPeer(self::address(), '/echo');
        $unfinished = [$open(), $open()];
        $unfinished[0]->peer->send([substr(WebSocketPeer::frame(str_repeat('a', 1_990_000)), 0, 1_980_000)]);
        $unfinished[1]->peer->send([WebSocketPeer::frame(str_repeat('a', 1_980_000), 1, 0)]);
        $this->check('two are read', Server::until(10.0, self::hasReadAll(...)));
        $this->check('messages that are not whole count for bodies', Server::until(10.0, self::isFull(...)));
        $third = $open();
        $third->peer->send([WebSocketPeer::frame(str_repeat('a', 1_000_000), 1, 0)]);
        $frame = $third->frameOf();
        $this->same('another one is closed with 1013', [8, 1013], [$frame[0] ?? null, unpack('n', ($frame[1] ?? '') . "\0\0")[1]]);
        $small = $open();
        $small->send('small');
        $this->same('small ones go on', '5', $small->text());
        unset($unfinished);
        $this->check('there is room again when clients have gone', Server::until(10.0, static fn (): bool => !self::isFull()));
        $large = $open();
        for ($i = 0; $i < 5; $i++) {
            $large->send(str_repeat('a', 1_500_000));
            $this->same('whole messages need room for a moment', '1500000', $large->text());
        }
        self::$app->stop();
    }
}
