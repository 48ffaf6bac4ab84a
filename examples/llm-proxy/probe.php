<?php

declare(strict_types=1);

/*
 * Ordinary requests, one after another on one connection, for so many seconds. Prints their times as a line of JSON, in milliseconds.
 * usage: php -d extension=modules/stampede.so examples/llm-proxy/probe.php HOST:PORT PATH SECONDS
 */

use Swoole\Coroutine;
use Swoole\Coroutine\Http\Client;

use function LlmProxy\address;

require __DIR__ . '/lib.php';

const PAUSE = 0.002; // seconds between two requests

Coroutine\run(static function (string $at, string $path, float $seconds): void {
    $client = new Client(...address($at));
    $client->set(['timeout' => 10]);
    $times = [];
    $failed = 0;
    for ($end = hrtime(true) + $seconds * 1e9; hrtime(true) < $end;) {
        $began = hrtime(true);
        $failed += $client->get($path) && $client->statusCode === 200 ? 0 : 1;
        $times[] = (hrtime(true) - $began) / 1e6;
        Coroutine::sleep(PAUSE);
    }
    $client->close();
    sort($times);
    $at = static fn (float $part): float => round($times[(int) (count($times) * $part)], 2);
    echo json_encode(['requests' => count($times), 'failed' => $failed, 'p50' => $at(0.5), 'p99' => $at(0.99), 'most' => $at(0.9999)], JSON_THROW_ON_ERROR), "\n";
}, $argv[1] ?? '', $argv[2] ?? '/', (float) ($argv[3] ?? 1));
