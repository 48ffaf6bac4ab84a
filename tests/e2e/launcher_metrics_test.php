<?php

declare(strict_types=1);

/* The metrics of a server that the command stampede runs: exact over reloads and killed workers, as Prometheus reads them, and those of the application. */

namespace Stampede\Tests\E2e;

final class launcher_metrics_test extends EndToEndTest
{
    private const BATCH = 12; // requests at once

    public function testAPrometheusCountsWhatTheClientHas(): void
    {
        $app = new Application('slim');
        self::addRoutes($app);
        $health = Server::freePort();
        $this->check('it is served', $app->serve(['--workers=2', '--env=prod', "--health-listen=127.0.0.1:{$health}"]), $app->output());
        [$prometheus, $program] = self::prometheus($health);
        $whole = ['GET 2xx' => 0, 'HEAD 2xx' => 0, 'POST 2xx' => 0, 'GET 4xx' => 0];
        $failed = 0;
        foreach (range(1, 24) as $round) {
            $events = [$round % 6 === 0, $round % 4 === 2];
            $failed += self::sendBatch($app, $whole, function () use ($app, $events, $health): void {
                $events[0] && Application::run(['reload', $app->folder]);
                $events[1] && self::killOneWorker($health);
            });
        }
        $this->check('most requests had their response, and some were lost with their worker', array_sum($whole) > 150, json_encode([$whole, $failed]));
        $sum = 'sum by (method, status) (stampede_http_requests_total{status=~"[1-5]xx"})';
        $isRead = static fn (): bool => array_sum(self::query($prometheus, $sum)) === array_sum(self::counted($health)) && array_sum(self::counted($health)) >= array_sum($whole);
        $this->check('Prometheus has read the last numbers', Server::until(20.0, $isRead), json_encode([self::query($prometheus, $sum), self::counted($health), $whole]));
        $counted = self::query($prometheus, $sum);
        foreach ($whole as $kind => $number) {
            $more = $counted[$kind] - $number; // counted, and lost with its worker before the client had it
            $this->check("{$kind} were counted once each", $more >= 0 && $more <= $failed, "counted {$counted[$kind]}, received {$number}, lost {$failed}");
        }
        $this->same('no counter has ever gone down', [], array_filter(self::query($prometheus, 'sum by (method, status) (resets(stampede_http_requests_total[5m]))')));
        $program->end();
        $this->check('the ends of workers are there', self::value($health, 'stampede_worker_ends_total{kind="worker",reason="signal"}') >= 1.0 && self::value($health, 'stampede_generation') >= 2.0, self::page($health)[1]);
    }

    public function testWithoutInterruptionsEveryNumberIsEqual(): void
    {
        $app = new Application('slim');
        self::addRoutes($app);
        $health = Server::freePort();
        $this->check('it is served', $app->serve(['--workers=2', '--env=prod', "--health-listen=127.0.0.1:{$health}"]), $app->output());
        $whole = ['GET 2xx' => 0, 'HEAD 2xx' => 0, 'POST 2xx' => 0, 'GET 4xx' => 0];
        $failed = 0;
        for ($i = 0; $i < 8; $i++) {
            $failed += self::sendBatch($app, $whole, static function (): void {});
        }
        $app->raw("GET / HTTP/1.1\r\n\r\n");
        $this->same('nothing failed', 0, $failed);
        $counted = self::counted($health);
        $this->same('a request without a host', 1, ($counted['unknown 4xx'] ?? 0) + ($counted['GET 4xx'] ?? 0) - $whole['GET 4xx']);
        unset($counted['unknown 4xx'], $counted['GET 4xx'], $whole['GET 4xx']);
        $this->same('what was counted is what was received', $whole, array_intersect_key($counted, $whole));
        $this->same('the route is the template', 1, self::number($health, '/^stampede_http_requests_total\{method="POST",status="2xx",route="\/form",/m'));
        $text = self::page($health)[1];
        $this->check('each has a duration, a wait and a first byte', preg_match('/^stampede_http_request_duration_seconds_count\{route="\/form"\} ' . $whole['POST 2xx'] . '$/m', $text) === 1
            && preg_match('/^stampede_http_request_wait_seconds_count\{route="\/form"\} ' . $whole['POST 2xx'] . '$/m', $text) === 1, $text);
        $this->check('bytes went both ways', self::value($health, 'stampede_received_bytes_total') > 1000.0 && self::value($health, 'stampede_sent_bytes_total') > 1000.0);
        $this->same('nothing is under way', 0.0, self::value($health, 'stampede_http_requests_in_progress'));
    }

    public function testThePageIsWhatPrometheusAsksFor(): void
    {
        $app = new Application('plain');
        $health = Server::freePort();
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod', "--health-listen=127.0.0.1:{$health}"]), $app->output());
        $app->ask('/');
        [$type, $text] = self::page($health);
        $this->same('without a wish it is the format of Prometheus', 'text/plain; version=0.0.4; charset=utf-8', $type);
        $this->same('which promtool finds nothing wrong with', [0, ''], self::promtool(['check', 'metrics'], $text));
        [$type, $text] = self::page($health, 'application/openmetrics-text;version=1.0.0;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1');
        $this->same('OpenMetrics where that is liked better', 'application/openmetrics-text; version=1.0.0; charset=utf-8', $type);
        $this->check('with its end', str_ends_with($text, "\n# EOF\n"), $text);
    }

    public function testMetricsOfTheApplicationInEveryIsolation(): void
    {
        foreach (['coroutine', 'sequential', 'process'] as $isolation) {
            $app = new Application('slim');
            self::addRoutes($app);
            $health = Server::freePort();
            $this->check("it is served, {$isolation}", $app->serve(['--workers=2', '--env=prod', "--isolation={$isolation}", "--health-listen=127.0.0.1:{$health}"]), $app->output());
            for ($i = 0; $i < 20; $i++) {
                $this->same("a request, {$isolation}", 200, $app->ask('/count/' . $i % 2)[0]);
            }
            $this->same("counters, {$isolation}", [10.0, 10.0], [self::value($health, 'orders_total{kind="0"}'), self::value($health, 'orders_total{kind="1"}')]);
            $this->same("gauges, {$isolation}", 5.5, self::value($health, 'queue_length'));
            $this->same("histograms, {$isolation}", [10.0, 20.0, 30.0], [self::value($health, 'sizes_bucket{le="1.0"}'), self::value($health, 'sizes_count'), self::value($health, 'sizes_sum')]);
            $this->same("requests have their isolation, {$isolation}", 20, self::number($health, '/^stampede_http_requests_total\{method="GET",status="2xx",route="\/count\/\{kind\}",isolation="' . $isolation . '"\} (\d+)$/m'));
            $many = $app->ask('/many')[2];
            $this->same("values beyond the limit, {$isolation}", ['1000', 201.0], [$many, self::value($health, 'many_total{id="other"}')]);
            $this->same("are told of once, {$isolation}", 1, substr_count($app->output(), 'has no room for further values of its labels'));
            $this->same("a wrong name, {$isolation}", 'ValueError', $app->ask('/wrong')[2]);
        }
    }

    public function testMetricsOfScriptsAndBackgroundCommands(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/counts.php", '<?php Stampede\Metrics::counter("pages", "Pages.")->inc(); Stampede\Metrics::route("pages"); echo "a page";');
        file_put_contents("{$app->folder}/work.php", '<?php Stampede\Metrics::counter("jobs_total", "Jobs.", ["queue"])->inc(["mail"], 2); sleep(60);');
        file_put_contents("{$app->folder}/stampede.php", "<?php return ['background' => ['work' => ['php', 'work.php']]];");
        $health = Server::freePort();
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod', "--health-listen=127.0.0.1:{$health}"]), $app->output());
        for ($i = 0; $i < 10; $i++) {
            $app->ask('/counts.php');
        }
        $this->same('and name their route', 10.0, self::value($health, 'stampede_http_requests_total{method="GET",status="2xx",route="pages",isolation="process"}'));
        $this->same('scripts count', 10.0, self::value($health, 'pages_total'));
        $this->check('and commands', Server::until(10.0, static fn (): bool => self::value($health, 'jobs_total{queue="mail"}') === 2.0), self::page($health)[1]);
    }

    public function testEveryProtocolAndKindOfResponseIsCounted(): void
    {
        $app = new Application('slim');
        mkdir("{$app->folder}/public");
        file_put_contents("{$app->folder}/public/a.txt", 'a file');
        $health = Server::freePort();
        $secure = Server::freePort();
        $this->check('it is served', $app->serve(['--workers=1', '--env=dev', "--listen=https://127.0.0.1:{$secure}", "--health-listen=127.0.0.1:{$health}"]), $app->output());
        $url = "https://127.0.0.1:{$secure}";
        $curl = static fn (string ...$arguments): array => self::runProgram(['curl', '-sk', '-o', '/dev/null', '-w', '%{http_code}', ...$arguments]);
        foreach ([['--http1.1', "{$url}/hello/a"], ['--http2', "{$url}/hello/a"], ['--http2', "{$url}/large"], ['--http2', '-I', "{$url}/hello/a"]] as $arguments) {
            $this->same(implode(' ', $arguments), [0, '200'], $curl(...$arguments));
        }
        $this->same('a file', [0, '200'], $curl("{$url}/a.txt"));
        $this->same('one that the client has', [0, '304'], $curl('-H', 'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT', "{$url}/a.txt"));
        $this->same('a client that goes before its response', 28, $curl('-m', '0.5', "{$url}/hello/a?wait=2000000")[0]);
        $counted = static fn (string $labels): float => self::value($health, "stampede_http_requests_total{{$labels}}");
        $this->same('over both', [3.0, 1.0], [$counted('method="GET",status="2xx",route="-",isolation="coroutine"'), $counted('method="HEAD",status="2xx",route="-",isolation="coroutine"')]);
        $this->same('files are none of the application\'s', [1.0, 1.0], [$counted('method="GET",status="2xx",route="-",isolation="none"'), $counted('method="GET",status="3xx",route="-",isolation="none"')]);
        $this->check('the client that has gone', Server::until(10.0, static fn (): bool => $counted('method="GET",status="gone",route="-",isolation="coroutine"') === 1.0), self::page($health)[1]);
        $connections = static fn (string $name, string $protocol): float => self::value($health, "{$name}{protocol=\"{$protocol}\",tls=\"yes\"}");
        $this->check('connections by protocol', $connections('stampede_connections_opened_total', 'http2') >= 3.0 && $connections('stampede_connections_opened_total', 'http1') >= 1.0, self::page($health)[1]);
        $this->check('of which none is left', Server::until(10.0, static fn (): bool => $connections('stampede_connections', 'http2') === 0.0 && $connections('stampede_connections', 'http1') === 0.0), self::page($health)[1]);
        $this->check('handshakes', Server::until(10.0, static fn (): bool => self::value($health, 'stampede_tls_handshakes_total{result="full"}') >= 7.0), self::page($health)[1]);
        $this->check('the end of the certificate', self::number($health, '/^stampede_certificate_expiry_timestamp_seconds\{names="[^"]+"\} (\d+)/m') > time(), self::page($health)[1]);
        $refused = $curl('-H', 'X-Long: ' . str_repeat('a', 100_000), '--http1.1', "{$url}/hello/a");
        $this->same('a refusal has its cause', ['431', 1.0], [$refused[1], self::value($health, 'stampede_http_refusals_total{cause="too_large"}')]);
    }

    public function testRoutesAreThoseOfTheFramework(): void
    {
        foreach (['symfony' => ['hello', ['coroutine', 'process']], 'laravel' => ['/hello/{name}', ['sequential', 'process']]] as $name => [$route, $isolations]) {
            foreach ($isolations as $isolation) {
                $app = new Application($name);
                $health = Server::freePort();
                $this->check("{$name} is served, {$isolation}", $app->serve(['--workers=1', '--env=prod', "--isolation={$isolation}", "--health-listen=127.0.0.1:{$health}"]), $app->output());
                $this->same("{$name} responds, {$isolation}", 200, $app->ask('/hello/Ada')[0]);
                $this->same("{$name} has named the route, {$isolation}", 1.0, self::value($health, "stampede_http_requests_total{method=\"GET\",status=\"2xx\",route=\"{$route}\",isolation=\"{$isolation}\"}"));
                $app->ask('/hello/of-a-client', '', [], 'OPTIONS');
                $this->check('and no path that a client has sent', !str_contains(self::page($health)[1], 'of-a-client'));
                $app->stop();
            }
        }
    }

    public function testWaitsAreWhatADistantServerAdds(): void
    {
        [$mysql, $postgres, $redis] = [Database::mariadb(), Database::postgres(), Database::redis()];
        $proxies = [];
        foreach (['mysql' => $mysql, 'postgresql' => $postgres, 'redis' => $redis] as $kind => $database) {
            $control = 'tcp://127.0.0.1:' . Server::freePort();
            $proxies[$kind] = [Server::freePort(), $control];
            $programs[] = External::php(__DIR__ . '/apps/fault_proxy.php', $proxies[$kind][0], ["tcp://127.0.0.1:{$database->port}", $control]);
        }
        $app = new Application('slim');
        $connect = <<<'PHP'
            $app->get('/wait/{kind}/{port}', function ($request, ResponseInterface $response, array $arguments): ResponseInterface {
                ['kind' => $kind, 'port' => $port] = $arguments;
                $ask = match ($kind) {
                    'mysql' => (static fn (PDO $pdo): Closure => static fn () => $pdo->query('SELECT 1')->fetchAll())(new PDO("mysql:host=127.0.0.1;port={$port}", 'root', '')),
                    'postgresql' => (static fn ($link): Closure => static fn () => pg_fetch_all(pg_query($link, 'SELECT 1')))(pg_connect("host=127.0.0.1 port={$port} user=postgres dbname=postgres")),
                    'redis' => (static function (Redis $redis) use ($port): Closure { $redis->connect('127.0.0.1', (int) $port); return static fn () => $redis->ping(); })(new Redis()),
                    'http' => static fn () => curl_exec(curl_init("http://127.0.0.1:{$port}/hello/a?wait=50000")),
                    'sleep' => static fn () => usleep(50_000),
                    'lock' => (static function () { flock($first = fopen(__FILE__, 'r'), LOCK_EX); return static function () use ($first) { Swoole\Coroutine::create(static function () use ($first) { usleep(50_000); flock($first, LOCK_UN); }); flock($second = fopen(__FILE__, 'r'), LOCK_EX); flock($second, LOCK_UN); flock($first, LOCK_EX); }; })(),
                };
                $began = microtime(true);
                ob_start();
                for ($i = 0; $i < 8; $i++) {
                    $ask();
                }
                ob_end_clean();
                $response->getBody()->write((string) (microtime(true) - $began));
                return $response;
            });
            $app->addErrorMiddleware
            PHP;
        file_put_contents("{$app->folder}/app.php", str_replace('$app->addErrorMiddleware', $connect, (string) file_get_contents("{$app->folder}/app.php")));
        $health = Server::freePort();
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod', "--health-listen=127.0.0.1:{$health}"]), $app->output());
        foreach (['mysql', 'postgresql', 'redis', 'http', 'sleep', 'lock'] as $kind) {
            if (isset($proxies[$kind])) {
                $controller = new Peer($proxies[$kind][1]);
                $controller->send(["latency 50\n"]);
                $controller->readUntil(static fn (string $bytes): bool => str_contains($bytes, "\n"));
            }
            $before = max(0.0, self::value($health, "stampede_wait_seconds_sum{kind=\"{$kind}\"}"));
            [$status, , $body] = $app->ask("/wait/{$kind}/" . ($proxies[$kind][0] ?? $app->port));
            $this->same("{$kind} works", 200, $status);
            $waited = self::value($health, "stampede_wait_seconds_sum{kind=\"{$kind}\"}") - $before;
            $this->check("waits of {$kind} are as long as they were", $waited >= 8 * 0.05 * 0.97 && $waited >= 0.9 * (float) $body, "counted {$waited}, the application waited {$body}\n" . implode("\n", preg_grep("/^stampede_wait_seconds_(sum|count)/", explode("\n", self::page($health)[1]))));
        }
        $this->check('nothing is left of another kind', self::value($health, 'stampede_wait_seconds_sum{kind="other"}') < 0.1, self::page($health)[1]);
    }

    public function testTheExamplesKnowTheMetricsThatThereAre(): void
    {
        $root = dirname(__DIR__, 2);
        $families = json_decode(self::runProgram([PHP_BINARY, '-n', '-d', 'extension=' . realpath(Application::module()), '-r', 'echo json_encode(Stampede\metric_families());'])[1], true);
        $page = (string) file_get_contents("{$root}/docs/user/metrics.md");
        foreach ($families as $family) {
            $labels = implode(', ', array_map(static fn (string $label): string => "`{$label}`", $family['labels']));
            str_contains($page, "| `{$family['name']}` | {$family['type']} | {$labels} | {$family['help']} |\n") || $this->check("docs/user/metrics.md knows {$family['name']} (tools/gen-metrics)", false);
        }
        $this->same('docs/user/metrics.md has no others', count($families), substr_count($page, "\n| `stampede_"));
        $this->same('the rules are such', 0, self::runProgram(['promtool', 'check', 'rules', "{$root}/examples/prometheus/alerts.yml"])[0]);
        $this->same('and find what they are for', 0, self::runProgram(['promtool', 'test', 'rules', "{$root}/examples/prometheus/alerts_test.yml"])[0]);
        $rules = "groups:\n  - name: dashboard\n    rules:\n";
        $used = [];
        foreach (json_decode((string) file_get_contents("{$root}/examples/grafana/dashboard.json"), true)['panels'] as $panel) {
            foreach ($panel['targets'] ?? [] as $number => $target) {
                preg_match_all('/stampede_\w+/', $target['expr'], $found);
                $used = [...$used, ...$found[0]];
                $rules .= "      - {record: 'p{$panel['id']}_{$number}', expr: " . json_encode(str_replace('$__rate_interval', '1m', $target['expr']), JSON_UNESCAPED_SLASHES) . "}\n";
            }
        }
        $folder = External::folder();
        file_put_contents("{$folder}/rules.yml", $rules);
        $this->same('every question of the dashboard is one that Prometheus understands', 0, self::runProgram(['promtool', 'check', 'rules', "{$folder}/rules.yml"])[0]);
        $known = array_merge(...array_map(static fn (array $family): array => $family['type'] === 'histogram' ? ["{$family['name']}_bucket", "{$family['name']}_sum", "{$family['name']}_count"] : [$family['name']], $families));
        $this->same('and is about metrics that there are', [], array_values(array_diff($used, $known)));
    }

    // ---- the application

    private static function addRoutes(Application $app): void
    {
        $code = (string) file_get_contents("{$app->folder}/app.php");
        $routes = <<<'PHP'
            use Stampede\Metrics;
            $answer = static function (ResponseInterface $response, string $text): ResponseInterface {
                $response->getBody()->write($text);
                return $response;
            };
            $app->add(function (ServerRequestInterface $request, $handler): ResponseInterface {
                $route = Slim\Routing\RouteContext::fromRequest($request)->getRoute();
                Metrics::route($route === null ? '' : $route->getPattern());
                return $handler->handle($request);
            });
            $app->addRoutingMiddleware();
            $app->get('/count/{kind}', function ($request, ResponseInterface $response, array $arguments) use ($answer): ResponseInterface {
                Metrics::counter('orders_total', 'Orders.', ['kind'])->inc([$arguments['kind']]);
                Metrics::gauge('queue_length', 'What waits.')->set(7.5);
                Metrics::gauge('queue_length', 'What waits.')->dec(by: 2);
                Metrics::histogram('sizes', 'Sizes.', bounds: [1, 5.5])->observe(1 + $arguments['kind']);
                return $answer($response, 'counted');
            });
            $app->get('/many', function ($request, ResponseInterface $response) use ($answer): ResponseInterface {
                $many = Metrics::counter('many', 'Many.', ['id']);
                for ($i = 0; $i < 1200; $i++) {
                    $many->inc(['id' => "number {$i}"]);
                }
                $many->inc(['id' => 'one more']);
                return $answer($response, '1000');
            });
            $app->get('/wrong', function ($request, ResponseInterface $response) use ($answer): ResponseInterface {
                try {
                    Metrics::counter('a-b');
                } catch (ValueError $error) {
                    return $answer($response, $error::class);
                }
            });
            PHP;
        $code = str_replace("use Slim\\Factory\\AppFactory;\n", "use Slim\\Factory\\AppFactory;\n" . strstr($routes, "\n", true) . "\n", $code);
        file_put_contents("{$app->folder}/app.php", str_replace('$app->addErrorMiddleware', strstr($routes, '$answer') . "\n" . '$app->addErrorMiddleware', $code));
    }

    // ---- the client

    /** @param array<string, int> $whole by method and status, what was received to its end @return int requests without a whole response */
    private static function sendBatch(Application $app, array &$whole, callable $inBetween): int
    {
        $failed = 0;
        $peers = [];
        for ($i = 0; $i < self::BATCH; $i++) {
            [$method, $path, $body] = [['GET', '/hello/a?wait=' . random_int(0, 30_000), ''], ['HEAD', '/hello/b', ''], ['POST', '/form', 'a=1'], ['GET', '/nothing', ''], ['GET', '/large', '']][random_int(0, 4)];
            try {
                $peer = new Peer("tcp://127.0.0.1:{$app->port}");
                $peer->send(["{$method} {$path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " . strlen($body) . "\r\n\r\n{$body}"]);
                $peers[] = [$method, $peer];
            } catch (\Throwable) {
                $failed++;
            }
        }
        $inBetween();
        foreach ($peers as [$method, $peer]) {
            try {
                $answers = Answer::all($peer->readToEnd(20.0), [$method]);
            } catch (\Throwable) {
                $answers = [];
            }
            if (count($answers) === 1) {
                $whole["{$method} " . intdiv($answers[0]->status, 100) . 'xx']++;
            } else {
                $failed++;
            }
        }
        return $failed;
    }

    private static function killOneWorker(int $health): void
    {
        $places = json_decode(self::get($health, '/status')[1], true)['places'] ?? [];
        $serving = array_values(array_filter($places, static fn (array $place): bool => $place['kind'] === 'worker' && $place['state'] === 'serving'));
        count($serving) > 1 && posix_kill($serving[0]['pid'], SIGKILL);
    }

    // ---- what the server says

    /** @return array{string, string} the head's fields and the body */
    private static function get(int $port, string $path, string $accept = ''): array
    {
        $peer = new Peer("tcp://127.0.0.1:{$port}");
        $peer->send(["GET {$path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" . ($accept === '' ? '' : "Accept: {$accept}\r\n") . "\r\n"]);
        $answer = Answer::all($peer->readToEnd(10.0), ['GET'])[0];
        return [(string) $answer->field('content-type'), $answer->body];
    }

    /** @return array{string, string} type and text */
    private static function page(int $health, string $accept = ''): array
    {
        return self::get($health, '/metrics', $accept);
    }

    private static function value(int $health, string $series): float
    {
        return preg_match('/^' . preg_quote($series, '/') . ' (\S+)$/m', self::page($health)[1], $found) === 1 ? (float) $found[1] : -1.0;
    }

    private static function number(int $health, string $pattern): int
    {
        return preg_match($pattern, self::page($health)[1], $found) === 1 ? (int) ($found[1] ?? 1) : 0;
    }

    /** @return array<string, int> requests that were responded to, by method and status */
    private static function counted(int $health): array
    {
        preg_match_all('/^stampede_http_requests_total\{method="(\w+)",status="([1-5]xx)",.*\} (\d+)$/m', self::page($health)[1], $found, PREG_SET_ORDER);
        $counted = [];
        foreach ($found as [, $method, $status, $number]) {
            $counted["{$method} {$status}"] = ($counted["{$method} {$status}"] ?? 0) + (int) $number;
        }
        return $counted;
    }

    // ---- Prometheus

    /** @return array{int, External} its port, and the program */
    private static function prometheus(int $health): array
    {
        $folder = External::folder();
        $port = Server::freePort();
        file_put_contents("{$folder}/prometheus.yml", "global: {scrape_interval: 1s}\nscrape_configs:\n  - job_name: stampede\n    static_configs: [{targets: ['127.0.0.1:{$health}']}]\n");
        $program = new External(['prometheus', "--config.file={$folder}/prometheus.yml", "--storage.tsdb.path={$folder}/data", "--web.listen-address=127.0.0.1:{$port}"], $folder, "tcp://127.0.0.1:{$port}");
        return [$port, $program];
    }

    /** @return array<string, int> by method and status */
    private static function query(int $prometheus, string $query): array
    {
        $response = json_decode(self::get($prometheus, '/api/v1/query?query=' . rawurlencode($query))[1], true);
        $found = [];
        foreach ($response['data']['result'] ?? [] as $result) {
            $found["{$result['metric']['method']} {$result['metric']['status']}"] = (int) $result['value'][1];
        }
        return $found;
    }

    /** @param list<string> $command @return array{int, string} */
    private static function runProgram(array $command): array
    {
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes);
        $output = (string) stream_get_contents($pipes[1]);
        return [proc_close($process), $output];
    }

    /** @param list<string> $arguments @return array{int, string} */
    private static function promtool(array $arguments, string $input): array
    {
        $process = proc_open(['promtool', ...$arguments], [['pipe', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes);
        fwrite($pipes[0], $input);
        fclose($pipes[0]);
        $output = (string) stream_get_contents($pipes[1]);
        return [proc_close($process), trim($output)];
    }
}
