<?php

declare(strict_types=1);

/* A server that is stopped loses nothing that has reached its machine, and does not wait for what is at rest. */

namespace Stampede\Tests\E2e;

final class stops_test extends EndToEndTest
{
    private const STOPS = 10;

    /**
     * @param array<string, mixed> $settings
     * @return resource
     */
    private static function start(int $port, array $settings)
    {
        $command = [...phpWithModule(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so'), '-n', __DIR__ . '/apps/stops.php', (string) $port, json_encode($settings + ['max_stop_time' => 30])];
        return proc_open($command, [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['redirect', 1]], $pipes) ?: throw new \RuntimeException('PHP cannot be started.');
    }

    /** @param array<string, mixed> $settings */
    private function stopOften(array $settings, string $name): void
    {
        $port = Server::freePort();
        $visitors = new Visitors($port);
        for ($i = (int) (getenv('STOPS') ?: self::STOPS); $i > 0; $i--) {
            $server = self::start($port, $settings);
            $enough = $visitors->served + 40;
            $this->assertTrue($visitors->until(15.0, static fn (): bool => $visitors->served >= $enough), "$name serves");
            proc_terminate($server, SIGTERM);
            $this->assertTrue($visitors->until(15.0, static fn (): bool => !proc_get_status($server)['running']), "$name ends");
            proc_close($server);
        }
        $visitors->finish();
        $this->check("no client loses anything ($name): {$visitors->served} served, {$visitors->refused} refused", $visitors->lost === [], count($visitors->lost) . ': ' . implode(', ', array_slice($visitors->lost, 0, 3)));
    }

    public function testClientsThatComeAllTheTimeLoseNothing(): void
    {
        $this->stopOften([], 'a shared listener');
        $this->stopOften(['enable_reuse_port' => true, 'backlog' => 256], 'a listener for each worker');
        $this->stopOften(['worker_num' => 1, 'worker_max_concurrency' => 8], 'requests that wait for a place');
    }

    /** Two servers that take turns in being replaced. The balancer keeps connections to them, and tries again what it could not connect. */
    public function testClientsOfABalancerLoseNothing(): void
    {
        $ports = [Server::freePort(), Server::freePort()];
        $start = self::start(...);
        $servers = array_map(static fn (int $port) => $start($port, ['drain_time' => 0.5]), $ports);
        $balancer = External::haproxy($port = Server::freePort(), $ports);
        $this->assertTrue(Server::until(15.0, static fn (): bool => str_contains((string) @file_get_contents("http://127.0.0.1:{$port}/"), 'served')));
        $visitors = new Visitors($port);
        for ($i = 0; $i < (int) (getenv('STOPS') ?: 4); $i++) {
            $turn = $i % 2;
            $enough = $visitors->served + 100;
            $this->assertTrue($visitors->until(15.0, static fn (): bool => $visitors->served >= $enough), 'the balancer serves');
            proc_terminate($servers[$turn], SIGTERM);
            $this->assertTrue($visitors->until(15.0, static fn (): bool => !proc_get_status($servers[$turn])['running']), 'a server ends');
            proc_close($servers[$turn]);
            $servers[$turn] = $start($ports[$turn], ['drain_time' => 0.5]);
        }
        $visitors->finish();
        $this->check("no client loses anything: {$visitors->served} served", $visitors->lost === [], count($visitors->lost) . ': ' . implode(', ', array_slice($visitors->lost, 0, 3)));
        foreach ($servers as $server) {
            proc_terminate($server, SIGKILL);
            proc_close($server);
        }
        unset($balancer);
    }

    public function testWhatIsAtRestIsClosedAtOnce(): void
    {
        $server = new Server('stops');
        $kept = new Peer($server->address());
        $kept->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $kept->readUntil(static fn (string $bytes): bool => str_ends_with($bytes, 'served'));
        $silent = new Peer($server->address());
        $began = microtime(true);
        $server->stop();
        $this->check('connections at rest do not hold the server up', microtime(true) - $began < 0.8, sprintf('%.3f s', microtime(true) - $began));
        $kept->readToEnd();
        $silent->readToEnd();
        $this->check('and are closed in order', $kept->ended() && !$kept->wasReset() && $silent->ended() && !$silent->wasReset());
    }

    public function testWhatIsUnderWayIsFinished(): void
    {
        $server = new Server('stops', ['max_stop_time' => 20, 'max_wait_time' => 1]);
        $peer = new Peer($server->address());
        $peer->send(["GET /seconds HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $multiplexed = new Http2Peer($server->address());
        $multiplexed->send(Http2Peer::get(1, '/second'));
        $socket = new WebSocketPeer($server);
        $socket->send('before');
        $this->same('a WebSocket is served', 'before', $socket->text());
        $this->assertTrue(Server::until(5.0, static fn (): bool => $server->connections() >= 3));
        posix_kill($server->pid(), SIGTERM);
        $this->same('a WebSocket is told to go', "\x03\xe9", substr((string) ($socket->frameOf()[1] ?? ''), 0, 2));
        $this->check('a request that takes longer than max_wait_time gets its response, the last of its connection', str_contains($bytes = $peer->readToEnd(15.0), 'Connection: close') && str_ends_with($bytes, 'served'), $bytes);
        $this->check('the server ends then', Server::until(5.0, static fn (): bool => !$server->alive()));
    }

    public function testUntilTheDrainIsOverEverythingIsServed(): void
    {
        $server = new Server('stops', ['drain_time' => 2]);
        $this->same('the server serves', [200, 'served'], ask($server, '/'));
        $kept = new Peer($server->address());
        posix_kill($server->pid(), SIGTERM);
        $kept->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $this->check('a connection is kept', str_contains((string) $kept->readUntil(static fn (string $bytes): bool => str_ends_with($bytes, 'served')), 'keep-alive'));
        $this->same('a new client is served', [200, 'served'], ask($server, '/'));
        $this->check('the server ends by itself', Server::until(8.0, static fn (): bool => !$server->alive()));

        $server = new Server('stops', ['drain_time' => 60]);
        $this->same('another serves', [200, 'served'], ask($server, '/'));
        posix_kill($server->pid(), SIGTERM);
        $this->assertFalse(Server::until(0.5, static fn (): bool => !$server->alive()));
        posix_kill($server->pid(), SIGTERM);
        $this->check('a second request to stop ends the drain', Server::until(5.0, static fn (): bool => !$server->alive()));
    }
}
