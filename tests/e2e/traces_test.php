<?php

declare(strict_types=1);

/* Traces with the stock SDK of OpenTelemetry, as a collector gets them: parents, calls, what is carried on, SIGTERM; and the same without OpenTelemetry. */

namespace Stampede\Tests\E2e;

final class traces_test extends EndToEndTest
{
    private const SERVER = 2;
    private const CLIENT = 3;

    private static ?Application $app = null; // its packages are many files

    public static function tearDownAfterClass(): void
    {
        self::$app = null;
        parent::tearDownAfterClass();
    }

    public function testConcurrentRequestsHaveTheirOwnParentsAndNoneIsLostAtSigterm(): void
    {
        foreach (['coroutine' => 400, 'sequential' => 30, 'process' => 30] as $isolation => $number) {
            [$collector, $port] = self::collector();
            $app = self::application($port, ["--isolation={$isolation}", '--workers=2', '--env=prod', '--log-format=off'], $this);
            $bodies = self::askAtOnce($app, array_map(static fn (int $id): string => "/children/{$id}", range(1, $number)));
            $app->stop(); // by SIGTERM, at once after the last response
            $spans = self::spans($port);
            // Of the application's own spans more than the SDK's queue holds.
            $this->same("{$isolation}: no span is lost", $number * 11, count($spans));
            $byId = array_column($spans, null, 'id');
            $servers = array_filter($spans, static fn (array $span): bool => $span['kind'] === self::SERVER);
            $this->same("{$isolation}: each request has a trace", $number, count(array_unique(array_column($servers, 'trace'))));
            $this->same("{$isolation}: which the request itself sees", [], array_diff($bodies, array_column($servers, 'trace')));
            $wrong = 0;
            foreach ($spans as $span) {
                $parent = $byId[$span['parent']] ?? null;
                $wrong += match (explode(' ', $span['name'])[0]) {
                    'child' => $parent === null || $parent['attributes']['url.path'] !== "/children/{$span['attributes']['request']}",
                    'inner' => $parent === null || $parent['name'] !== 'child ' . substr($span['name'], 6) || $parent['attributes']['request'] !== $span['attributes']['request'],
                    default => $parent !== null,
                } ? 1 : 0;
            }
            $this->same("{$isolation}: no parent is a stranger's", 0, $wrong);
            $this->same("{$isolation}: the span has the route", ['GET children'], array_values(array_unique(array_column($servers, 'name'))));
            $collector->end();
        }
    }

    public function testCallsHaveSpansAndCarryTheContext(): void
    {
        [$mysql, $postgres, $redis] = [Database::mariadb(), Database::postgres(), Database::redis()];
        [$collector, $port] = self::collector();
        $environment = ['TEST_MYSQL' => (string) $mysql->port, 'TEST_PGSQL' => (string) $postgres->port, 'TEST_REDIS' => (string) $redis->port];
        $app = self::application($port, ['--isolation=coroutine', '--workers=1', '--env=prod', '--log-format=off'], $this, $environment);
        $caller = '0af7651916cd43dd8448eb211c80319c';
        [$status, , $body] = $app->ask('/calls/120', '', ["traceparent: 00-{$caller}-b7ad6b7169203331-01", 'tracestate: vendor=1', 'baggage: user=7', 'User-Agent: test/1']);
        $this->same('the request is served', 200, $status);
        $seen = json_decode($body, true);
        $app->stop();
        $spans = self::spans($port);
        $server = array_values(array_filter($spans, static fn (array $span): bool => $span['kind'] === self::SERVER))[0] ?? null;
        $this->same('the trace of the caller goes on', [$caller, 'b7ad6b7169203331', $caller], [$seen['trace'], $server['parent'] ?? '', $server['trace'] ?? '']);
        $wanted = ['http.request.method' => 'GET', 'url.path' => '/calls/120', 'url.scheme' => 'http', 'http.route' => 'calls', 'network.protocol.version' => '1.1', 'client.address' => '127.0.0.1', 'user_agent.original' => 'test/1'];
        $this->same('the span of the request says what it was', $wanted, array_replace(array_fill_keys(array_keys($wanted), null), array_intersect_key($server['attributes'] ?? [], $wanted)));
        $this->same('its status as well', 200, (int) ($server['attributes']['http.response.status_code'] ?? 0));
        $clients = array_filter($spans, static fn (array $span): bool => $span['kind'] === self::CLIENT);
        $this->same('all calls are its children', [$server['id']], array_values(array_unique(array_column($clients, 'parent'))));
        foreach (['curl', 'curl again', 'guzzle', 'symfony', 'stream', 'plain stream'] as $client) {
            $part = explode('-', $seen[$client]['traceparent'] ?? '---');
            $span = array_column($clients, null, 'id')[$part[2]] ?? null;
            $this->check("{$client} carries its span to the next server", $part[1] === $caller && $span !== null && str_contains($span['attributes']['url.full'] ?? '', '/headers'), json_encode([$seen[$client], $span]));
            $this->same("{$client}: what the application sends is there, and the baggage", [$client === 'plain stream' ? null : 'yes', 'vendor=1', 'user=7'], [$seen[$client]['x-own'] ?? null, $seen[$client]['tracestate'] ?? null, $seen[$client]['baggage'] ?? null]);
        }
        $late = array_filter($clients, static fn (array $span): bool => $span['ms'] >= 110);
        $this->same('the delays are in the spans of the calls that had them', ['SELECT mysql', 'SELECT postgresql', 'GET ', 'GET '], array_map(static fn (array $span): string => "{$span['attributes']['db.operation.name']}{$span['attributes']['http.request.method']} {$span['attributes']['db.system.name']}", array_values(array_map(static fn (array $span): array => ['attributes' => $span['attributes'] + ['db.operation.name' => '', 'http.request.method' => '', 'db.system.name' => '']], $late))));
        $texts = array_column(array_column($clients, 'attributes'), 'db.query.text');
        foreach (['SELECT SLEEP(? / ?), ?', 'SELECT user FROM user WHERE host = ?', 'SELECT ? FROM user', 'SELECT pg_sleep(?)', 'SELECT ?::int', 'SELECT $1::int', 'SELECT ?', 'SET ? ?'] as $text) {
            $this->check("there is a span of {$text}", in_array($text, $texts, true), json_encode($texts));
        }
        $failed = array_values(array_filter($clients, static fn (array $span): bool => $span['status'] === 2));
        $this->same('the one call that has failed is an error', ['SELECT ?::int'], array_map(static fn (array $span): string => $span['attributes']['db.query.text'] ?? $span['name'], $failed));
        $this->check('no value is in a trace', !str_contains(json_encode($spans, JSON_THROW_ON_ERROR), 'secret'));
        $where = array_unique(array_map(static fn (array $span): string => ($span['attributes']['db.system.name'] ?? 'http') . ':' . ($span['attributes']['server.port'] ?? ''), $clients));
        sort($where);
        $expected = ["http:{$port}", "mysql:{$mysql->port}", "postgresql:{$postgres->port}", "redis:{$redis->port}", 'sqlite:'];
        sort($expected);
        $this->same('each says where it leads', $expected, array_values($where));
    }

    public function testEachIsolationCarriesTheContext(): void
    {
        [$collector, $port] = self::collector();
        foreach (['sequential', 'process'] as $isolation) {
            $app = self::application($port, ["--isolation={$isolation}", '--workers=1', '--env=prod', '--log-format=off'], $this);
            $seen = json_decode($app->ask('/carries')[2], true);
            foreach (['curl', 'guzzle', 'symfony', 'stream'] as $client) {
                $this->same("{$isolation}: {$client} carries the trace", [$seen['trace'], 'yes'], [explode('-', $seen[$client]['traceparent'] ?? '-')[1], $seen[$client]['x-own'] ?? null]);
            }
            $app->stop();
        }
    }

    public function testJobsAreLinkedAndWaitsForAPoolHaveSpans(): void
    {
        [$collector, $port] = self::collector();
        $app = self::application($port, ['--isolation=coroutine', '--workers=1', '--env=prod', '--log-format=off'], $this);
        $request = json_decode($app->ask('/jobs')[2], true);
        $found = static fn (): array => array_column(self::spans($port), null, 'name');
        $this->check('the job is exported while the server runs', Server::until(10.0, static fn (): bool => isset($found()['after the response'], $found()['GET jobs'])));
        $spans = $found();
        $job = $spans['after the response'];
        $this->same('a job has a trace of its own with a link to its request', [[$request], '', false], [$job['links'], $job['parent'], $job['trace'] === $spans['GET jobs']['trace']]);
        $this->same('its calls are its children', $job['id'], $spans['SELECT']['parent'] ?? null);
        $wait = $spans['wait for a connection'] ?? null;
        $this->check('the wait for a connection of a pool is a span of the request', $wait !== null && $wait['parent'] === $request && $wait['ms'] >= 25, json_encode($spans));
        $app->stop();
    }

    public function testFailuresAndASlowCollector(): void
    {
        [$collector, $port] = self::collector(3.0);
        $app = self::application($port, ['--isolation=coroutine', '--workers=1', '--env=prod', '--log-format=off'], $this);
        $this->same('a request that fails', 500, $app->ask('/fails/one')[0]);
        $slowest = 0.0;
        for ($until = microtime(true) + 4.0; microtime(true) < $until;) { // some of them while the worker exports
            $began = microtime(true);
            self::askAtOnce($app, array_fill(0, 10, '/plain'));
            $slowest = max($slowest, microtime(true) - $began);
        }
        $this->check('no request waits for the collector', $slowest < 2.0, "the slowest took {$slowest} s");
        $this->check('what has ended is exported while the server runs', Server::until(15.0, static fn (): bool => self::spans($port) !== []));
        $app->stop();
        $failed = array_values(array_filter(self::spans($port), static fn (array $span): bool => ($span['attributes']['url.path'] ?? '') === '/fails/one'));
        $this->same('the span of a failed request is an error', [1, 2, 500], [count($failed), $failed[0]['status'] ?? 0, (int) ($failed[0]['attributes']['http.response.status_code'] ?? 0)]);
    }

    public function testWithoutOpenTelemetry(): void
    {
        $app = new Application('slim');
        file_put_contents("{$app->folder}/app.php", strtr((string) file_get_contents("{$app->folder}/app.php"), ['return $app;' => <<<'PHP'
            $app->get('/slow/{name}', function ($request, $response) {
                Swoole\Coroutine::create(fn () => usleep(20_000));
                usleep(120_000);
                usleep(1000);
                $response->getBody()->write('slow');
                return $response;
            });
            return $app;
            PHP]));
        $this->check('it is served', $app->serve(['--workers=1', '--isolation=coroutine', '--env=prod', '--log-format=json', '--slow-log=0.1', '--server-timing=on']), $app->output());
        [, $head] = $app->ask('/slow/secret');
        $timing = preg_match('/^Server-Timing: (.*)$/mi', $head, $part) === 1 ? trim($part[1]) : '';
        $this->check('the response says what the request has waited for', preg_match('/^total;dur=(\d+\.\d+), queue;dur=\d+\.\d+, cpu;dur=\d+\.\d+, others;dur=\d+\.\d+, .*sleep;desc="3";dur=(\d+\.\d+)/', $timing, $part) === 1 && $part[1] >= 121 && $part[2] >= 140, $timing);
        $app->ask('/large');
        Server::until(5.0, static fn (): bool => str_contains($app->output(), 'slow_request'));
        $lines = array_values(array_filter(array_map(static fn (string $line): mixed => json_decode($line, true), explode("\n", $app->output())), static fn (mixed $line): bool => isset($line['slow_request'])));
        $this->same('one line for the one slow request', 1, count($lines));
        $slow = $lines[0]['slow_request'] ?? [];
        $this->check('with its route and the same numbers', ($slow['status'] ?? 0) === 200 && ($slow['ms'] ?? 0) >= 121 && ($slow['waits']['sleep']['count'] ?? 0) === 3 && ($slow['path'] ?? '') === '/slow/secret', json_encode($lines));
        $app->stop();
        $this->check('it is served', $app->serve(['--workers=1', '--env=dev', '--log-format=text', '--slow-log=0.1']), $app->output());
        $this->check('in development the field is there', str_contains(strtolower($app->ask('/slow/x')[1]), 'server-timing: total;dur='));
        $this->check('as text', Server::until(5.0, static fn (): bool => preg_match('/Slow request: GET \/slow\/x.*, status 200, took \d+ ms: queue .*, CPU .*, waits: .*sleep \d+ ms \(3\)\./', $app->output()) === 1), $app->output());
        $app->stop();
    }

    public function testObserversOfRequests(): void
    {
        foreach (['coroutine', 'sequential', 'process'] as $isolation) {
            $app = new Application('slim');
            file_put_contents("{$app->folder}/app.php", strtr((string) file_get_contents("{$app->folder}/app.php"), ['return $app;' => <<<'PHP'
                Stampede\Request\RequestLifecycle::observe(function (Swoole\Http\Request $request): Closure {
                    $began = Swoole\Coroutine::getCid();
                    return function (Stampede\Request\RequestEnd $end) use ($request, $began): void {
                        error_log(sprintf('OBSERVED %s %d %s %s', $request->server['request_uri'], $end->status, $end->failure === null ? '-' : $end->failure::class, $began === Swoole\Coroutine::getCid() ? 'same' : 'other'));
                    };
                });
                Stampede\Request\RequestLifecycle::observe(fn () => throw new Exception('of an observer'));
                $app->get('/throws', fn () => throw new DomainException('x'));
                return $app;
                PHP]));
            $this->check("{$isolation}: it is served", $app->serve(['--workers=1', "--isolation={$isolation}", '--env=prod']), $app->output());
            $this->same("{$isolation}: requests are as ever", 200, $app->ask('/large')[0]);
            $failed = $app->ask('/throws')[0];
            foreach (['OBSERVED /large 200 - same', "OBSERVED /throws {$failed} "] as $line) {
                $this->check("{$isolation}: {$line}", Server::until(5.0, static fn (): bool => str_contains($app->output(), $line)), $app->output());
            }
            $this->check("{$isolation}: one that throws is in the log", str_contains($app->output(), 'An observer of requests has failed: of an observer'), $app->output());
            $app->stop();
        }
    }

    public function testAnAgentOfAVendor(): void
    {
        foreach (['coroutine', 'process'] as $isolation) {
            [$collector, $port] = self::collector();
            $app = self::application($port, ["--isolation={$isolation}", '--workers=1', '--env=prod', '--log-format=off'], $this, ['OTEL_PHP_AUTOLOAD_ENABLED' => 'false', 'TEST_SENTRY' => "http://key@127.0.0.1:{$port}/1"]);
            self::askAtOnce($app, array_map(static fn (int $id): string => "/fails/{$id}", range(1, 20)));
            $expected = array_map(static fn (int $id): array => ["{$id} fails", (string) $id], range(1, 20));
            $seen = static function () use ($port): array {
                $events = json_decode((string) file_get_contents("http://127.0.0.1:{$port}/events"), true, 16, JSON_THROW_ON_ERROR);
                usort($events, static fn (array $a, array $b): int => (int) $a[0] <=> (int) $b[0]);
                return $events;
            };
            Server::until(15.0, static fn (): bool => count($seen()) >= 20);
            $this->same("{$isolation}: Sentry has each failure once, with what its own request has said", $expected, $seen());
            $app->stop();
        }
    }

    /** @return array{Companion, int} */
    private static function collector(float $delay = 0.0): array
    {
        $port = Server::freePort();
        $collector = new Companion(Companion::php('collector.php', (string) $port, (string) $delay));
        $collector->waitForPort($port);
        return [$collector, $port];
    }

    /**
     * @param list<string> $options
     * @param array<string, string> $environment
     */
    private static function application(int $collector, array $options, self $test, array $environment = []): Application
    {
        $environment += [
            'OTEL_PHP_AUTOLOAD_ENABLED' => 'true', 'OTEL_SERVICE_NAME' => 'traced', 'OTEL_TRACES_EXPORTER' => 'otlp', 'OTEL_METRICS_EXPORTER' => 'none', 'OTEL_LOGS_EXPORTER' => 'none',
            'OTEL_EXPORTER_OTLP_PROTOCOL' => 'http/json', 'OTEL_EXPORTER_OTLP_ENDPOINT' => "http://127.0.0.1:{$collector}", 'TEST_COLLECTOR' => "http://127.0.0.1:{$collector}",
        ];
        foreach ($environment as $name => $value) {
            putenv("{$name}={$value}");
        }
        $app = self::$app ??= new Application('traced');
        $test->check('it is served', $app->serve($options), $app->output());
        foreach (array_keys($environment) as $name) {
            putenv($name);
        }
        return $app;
    }

    /** @return list<array<string, mixed>> */
    private static function spans(int $collector): array
    {
        return json_decode((string) file_get_contents("http://127.0.0.1:{$collector}/spans"), true, 16, JSON_THROW_ON_ERROR);
    }

    /**
     * @param list<string> $paths
     * @return list<mixed> what the bodies are as JSON
     */
    private static function askAtOnce(Application $app, array $paths): array
    {
        $multi = curl_multi_init();
        $handles = [];
        foreach ($paths as $path) {
            $handle = curl_init("http://127.0.0.1:{$app->port}{$path}");
            curl_setopt_array($handle, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 60]);
            curl_multi_add_handle($multi, $handle);
            $handles[] = $handle;
        }
        do {
            curl_multi_exec($multi, $running);
            curl_multi_select($multi, 1.0);
        } while ($running > 0);
        return array_map(static fn (\CurlHandle $handle): mixed => json_decode((string) curl_multi_getcontent($handle), true), $handles);
    }
}
