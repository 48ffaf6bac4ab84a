<?php

declare(strict_types=1);

/* The checks of hooks_names_test.php: PHP's own functions for names, with a slow server in a network of their own. */

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;

const AT_ONCE = 50;

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => $name, 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}

$server = proc_open([PHP_BINARY, '-n', '-d', 'extension=sockets', __DIR__ . '/slow_dns.php'], [['file', '/dev/null', 'r']], $pipes);
for ($end = microtime(true) + 10; gethostbyname('ready.test') !== '192.0.2.1' && microtime(true) < $end;) {
    usleep(50_000);
}

foreach ([
    'gethostbyname' => static fn (int $i): string => gethostbyname("host$i.test"),
    'gethostbynamel' => static fn (int $i): array|false => gethostbynamel("host$i.test"),
    'gethostbyaddr' => static fn (int $i): string|false => gethostbyaddr('192.0.2.7'),
    'checkdnsrr' => static fn (int $i): bool => checkdnsrr("host$i.test", 'A'),
    'getmxrr' => static function (int $i): array {
        $found = getmxrr("host$i.test", $hosts, $weights);
        return [$found, count($hosts), $weights];
    },
    'dns_get_record' => static fn (int $i): array => array_map(static fn (array $record): array => [$record['type'], $record['ip'], $record['ttl']], dns_get_record("host$i.test", DNS_A)),
    'socket_addrinfo_lookup' => static fn (int $i): int => count(socket_addrinfo_lookup("host$i.test", '80', ['ai_family' => AF_INET, 'ai_socktype' => SOCK_STREAM])),
] as $name => $work) {
    $expected = $work(1000);
    check("$name gives something", true, $expected !== false && $expected !== []);
    $results = [];
    $start = microtime(true);
    Coroutine\run(static function () use ($work, &$results): void {
        for ($i = 0; $i < AT_ONCE; $i++) {
            Coroutine::create(static function () use ($work, $i, &$results): void {
                $results[] = $work($i);
            });
        }
    });
    $took = microtime(true) - $start;
    check("$name, " . AT_ONCE . ' at once', array_fill(0, AT_ONCE, $expected), $results);
    check("$name: they overlap", true, $took < AT_ONCE * 0.2 / 3 ?: sprintf('%.1f s', $took));
}

// A server that never answers holds nobody else, files neither.
Coroutine\run(static function (): void {
    $ended = new Channel(20);
    for ($i = 0; $i < 20; $i++) {
        Coroutine::create(static function () use ($i, $ended): void {
            $ended->push([gethostbyname("dead$i.test"), @file_get_contents("http://dead$i.test/")]);
        });
    }
    $start = microtime(true);
    $folder = sys_get_temp_dir() . '/stampede-names-' . getmypid();
    for ($i = 0; $i < 20; $i++) {
        mkdir($folder);
        rmdir($folder);
        Coroutine::sleep(0.001);
    }
    check('files do not wait for names', true, $ended->isEmpty() && microtime(true) - $start < 3);
    [$name, $page] = $ended->pop(30);
    check('a dead server is given up', [true, false], [str_starts_with((string) $name, 'dead'), $page]);
    for ($i = 1; $i < 20; $i++) {
        $ended->pop(30);
    }
    $cid = Coroutine::create(static function () use ($ended): void {
        $ended->push(gethostbyname('dead.test'));
    });
    $start = microtime(true);
    Coroutine::sleep(0.05);
    Coroutine::cancel((int) $cid);
    check('a look-up can be cancelled', ['dead.test', true], [$ended->pop(20), microtime(true) - $start < 0.9]);
});
proc_terminate($server);
