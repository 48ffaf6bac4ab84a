<?php

declare(strict_types=1);

/*
 * Coroutine\Socket and Coroutine\Client with Redis, proxies and peers that misbehave; what 1,000 failures of each kind leave behind.
 */

namespace Stampede\Tests\E2e;

final class sockets_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $peers = new Companion([PHP_BINARY, __DIR__ . '/apps/rough_peers.php']);
        $redis_port = Server::freePort();
        $redis = new Companion(['redis-server', '--port', (string) $redis_port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']);
        $ports = $peers->firstLine();
        $redis->waitForPort($redis_port);
        Companion::reportChecks($this, Companion::php('sockets.php', $ports, (string) $redis_port, getenv('FAILURES') ?: '1000'), 120.0);
    }
}
