<?php

declare(strict_types=1);

/*
 * So many clients with a session and an open stream each; beside them one with ordinary requests. Prints "all" when they are there, and a line of JSON when each
 * has been told that the pages have changed.
 * usage: php -d extension=modules/stampede.so examples/mcp/listeners.php HOST PORT CLIENTS
 */

use Swoole\Coroutine;
use Swoole\Coroutine\Http\Client;

const PATIENCE = 120.0; // seconds
const FIELDS = ['Content-Type' => 'application/json', 'Accept' => 'application/json, text/event-stream'];

/** @return array<string, string> the fields of a session */
function open_session(string $host, int $port): array
{
    $client = new Client($host, $port);
    $client->set(['timeout' => PATIENCE]);
    $client->setHeaders(FIELDS);
    $client->post('/mcp', '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "listeners", "version": "1"}}}');
    $id = $client->headers['mcp-session-id'] ?? throw new RuntimeException("No session: {$client->statusCode} {$client->errMsg} {$client->body}");
    $client->close();
    return FIELDS + ['Mcp-Session-Id' => $id];
}

Coroutine::set(['max_coroutine' => 100_000]);
Coroutine\run(static function (string $host, int $port, int $count): void {
    $open = $told = 0;
    for ($i = 0; $i < $count; $i++) {
        Coroutine::create(static function () use ($host, $port, &$open, &$told): void {
            $fields = open_session($host, $port);
            $client = new Client($host, $port);
            $client->set(['timeout' => -1, 'read_timeout' => PATIENCE, 'write_func' => static function (Client $client, string $piece) use (&$told): bool {
                $isTold = str_contains($piece, 'list_changed');
                $told += $isTold ? 1 : 0;
                return !$isTold;
            }]);
            $client->setHeaders($fields);
            $client->setDefer();
            $client->get('/mcp');
            $open++;
            $client->recv();
        });
        if ($i % 10 === 9) {
            Coroutine::sleep(0.005);
        }
    }
    for ($end = microtime(true) + PATIENCE; $open < $count && microtime(true) < $end;) {
        Coroutine::sleep(0.01);
    }
    $client = new Client($host, $port);
    $client->set(['timeout' => PATIENCE]);
    $client->setHeaders(open_session($host, $port));
    echo $open === $count ? "all\n" : "only {$open}\n";
    $times = [];
    for ($end = microtime(true) + PATIENCE; $told < $count && microtime(true) < $end;) {
        $began = hrtime(true);
        if (!$client->post('/mcp', '{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}') || $client->statusCode !== 200) {
            break;
        }
        $times[] = (hrtime(true) - $began) / 1e6;
        Coroutine::sleep(0.002);
    }
    sort($times);
    echo json_encode(['clients' => $count, 'told' => $told, 'requests' => count($times), 'p50' => round($times[intdiv(count($times), 2)] ?? 0.0, 2), 'p99' => round($times[(int) (count($times) * 0.99)] ?? 0.0, 2)], JSON_THROW_ON_ERROR), "\n";
    exit($told === $count ? 0 : 1);
}, $argv[1] ?? '', (int) ($argv[2] ?? 0), (int) ($argv[3] ?? 1));
