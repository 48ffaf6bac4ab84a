<?php

declare(strict_types=1);

/* Clients that speak HTTP/2 to stampede serve: the limits that are those of HTTP/1, and the other streams of a connection. */

namespace Stampede\Tests\E2e;

final class launcher_http2_test extends EndToEndTest
{
    private const CODE = <<<'PHP'
        <?php
        switch (basename($_SERVER['REQUEST_URI'])) {
            case 'retry': for ($i = 0; $i < 1000; $i++) { try { sleep(100); } catch (Throwable) {} } break;
            case 'exec': exec('exec sleep 1000'); break;
            case 'spins': while (true) {}
            case 'pbkdf2': hash_pbkdf2('sha256', 'a', 'b', 2_000_000_000); break;
            case 'large': echo str_repeat('x', 20_000_000); break;
            case 'length': echo strlen(file_get_contents('php://input')), ' '; break;
        }
        echo getmypid();
        PHP;
    private const ENDPOINTS = <<<'PHP'
        <?php
        return ['websocket' => ['/echo' => static function ($socket): void {
            while (($frame = $socket->recv()) instanceof Swoole\WebSocket\Frame) {
                $socket->push((string) strlen($frame->data));
            }
        }]];
        PHP;

    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", self::CODE);
        file_put_contents("{$app->folder}/endpoints.php", self::ENDPOINTS);
    }

    private function serve(string $isolation, array $settings = []): void
    {
        $app = self::$app;
        $settings = json_encode(['open_http2_protocol' => true, ...$settings]);
        $this->check("{$isolation} serves", $app->serve(['--env=prod', '--workers=1', "--isolation={$isolation}", '--request-timeout=1.5', '--endpoints=endpoints.php', "--server={$settings}"]), $app->output());
    }

    private static function connect(): Http2Peer
    {
        return new Http2Peer('tcp://127.0.0.1:' . self::$app->port);
    }

    public function testTimesOfRequests(): void
    {
        foreach (['process' => ['exec'], 'coroutine' => ['retry', 'pbkdf2'], 'sequential' => ['spins', 'pbkdf2']] as $isolation => $paths) {
            $this->serve($isolation);
            foreach ($paths as $path) {
                $peer = self::connect();
                $peer->send(Http2Peer::get(1, '/'), Http2Peer::get(3, "/{$path}"), Http2Peer::get(5, '/'), Http2Peer::get(7, '/'));
                $peer->until(static fn (Http2Peer $peer): bool => $peer->over(1) && $peer->over(3) && $peer->over(5) && $peer->over(7), 15.0);
                $this->same("{$isolation}, {$path}: 504, and the other streams their responses", [200, 504, 200, 200], array_map($peer->status(...), [1, 3, 5, 7]));
                $this->same("{$isolation}, {$path}: the next connection is served", 'status 200', (static function (): string {
                    ($peer = self::connect())->send(Http2Peer::get(1));
                    return $peer->outcome(1);
                })());
            }
            self::$app->stop();
        }
    }

    public function testSlowReaders(): void
    {
        foreach (['process', 'sequential'] as $isolation) {
            $this->serve($isolation, ['http_write_timeout' => 2]);
            $peer = self::connect();
            $peer->send(...array_map(static fn (int $i): string => Http2Peer::get(2 * $i + 1, '/large'), range(0, 17)));
            $peer->until(static fn (Http2Peer $peer): bool => $peer->status(1) === 200);
            $began = microtime(true);
            $this->same("{$isolation}: streams that are not read hold no place", 200, self::$app->ask('/')[0]);
            $this->check("{$isolation}: for long", microtime(true) - $began < 5.0);
            $this->check("{$isolation}: they end in time", $peer->until(static fn (Http2Peer $peer): bool => $peer->ended() || $peer->over(1), 15.0));
            self::$app->stop();
        }
    }

    public function testBodies(): void
    {
        $this->serve('process', ['http_body_timeout' => 1]);
        $peer = self::connect();
        $peer->send(Http2Peer::post(1, '/length', [['content-length', '100000']]), Http2Peer::frame(0, 0, 1, 'some'));
        $this->same('a body that stops: 408', 'status 408', $peer->outcome(1));
        foreach (range(1, 40) as $i) {
            $peer = self::connect();
            $peer->send(Http2Peer::post(1, '/length', [['content-length', '100000']]), Http2Peer::frame(0, 0, 1, str_repeat('x', 10_000)), ...($i % 2 ? [Http2Peer::frame(3, 0, 1, pack('N', 8))] : []));
            $peer->close();
        }
        $peer = self::connect();
        $peer->send(Http2Peer::post(1, '/length'), Http2Peer::frame(0, 1, 1, str_repeat('x', 10_000)));
        $this->same('after 40 that break off', 'status 200', $peer->outcome(1));
        $this->check('with their own body', str_starts_with($peer->body(1), '10000 '), $peer->body(1));
        self::$app->stop();
    }

    public function testEndpoints(): void
    {
        foreach (['process', 'coroutine', 'sequential'] as $isolation) {
            $this->serve($isolation);
            $peer = self::connect();
            $this->check("{$isolation}: the settings say that WebSockets may be opened", $peer->until(static fn (Http2Peer $peer): bool => str_contains(implode(array_column($peer->frames(), 'payload')), pack('nN', 8, 1))));
            $tunnel = new Http2Tunnel($peer, 1, '/echo');
            $this->same("{$isolation}: the handshake of an endpoint gets its response", 200, $tunnel->status());
            $tunnel->send('hello');
            $this->same("{$isolation}: the endpoint's function has the message", '5', $tunnel->text());
            $peer->send(Http2Peer::get(3));
            $this->same("{$isolation}: the application is served on the same connection", 'status 200', $peer->outcome(3));
            $foreign = new Http2Tunnel($peer, 5, '/echo', [['origin', 'http://evil.test']]);
            $this->same("{$isolation}: a page of another origin may not connect", 403, $foreign->status());
            $other = new Http2Tunnel($peer, 7, '/nothing-here');
            $this->check("{$isolation}: a path that is no endpoint gets a response that opens nothing", $other->status() >= 300, "status {$other->status()}");
            $tunnel->send(pack('n', 1000), 8);
            $this->check("{$isolation}: the tunnel ends when the client says goodbye", $tunnel->ends());
            self::$app->stop();
        }
    }
}
