<?php

declare(strict_types=1);

/* Isolation and time limits by path, in one application that the command stampede serves. */

namespace Stampede\Tests\E2e;

final class launcher_routes_test extends EndToEndTest
{
    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = $app = new Application('slim');
        $work = <<<'PHP'
            $app->get('/{kind}/{what}', function (ServerRequestInterface $request, ResponseInterface $response, array $arguments): ResponseInterface {
                static $now = 0, $most = 0, $count = 0;
                $most = max($most, ++$now);
                $count++;
                usleep((int) ($request->getQueryParams()['wait'] ?? 0));
                if ($arguments['what'] === 'exit') {
                    exit('ended');
                }
                while ($arguments['what'] === 'busy') { // here
                }
                while ($arguments['what'] === 'stubborn') {
                    try {
                        while (true) {
                        }
                    } catch (Throwable) {
                    }
                }
                $now--;
                $response->getBody()->write(json_encode(['pid' => getmypid(), 'most' => $most, 'count' => $count]));
                return $response;
            });
            $app->addErrorMiddleware
            PHP;
        file_put_contents("{$app->folder}/app.php", str_replace('$app->addErrorMiddleware', $work, (string) file_get_contents("{$app->folder}/app.php")));
    }

    public function testIsolation(): void
    {
        $app = self::$app;
        $this->check('an application with routes is served', self::serve([
            'request-timeout' => 0.7,
            'routes' => [
                '/one/*' => ['isolation' => 'sequential'],
                '/fork/**' => ['isolation' => 'process', 'request-timeout' => 2],
                '/patient/*' => ['request-timeout' => 20],
            ],
        ]), $app->output());

        $this->same('many at once where nothing else is said', [6, [200]], [self::most($all = self::together('/any/thing?wait=300000', 6)), array_values(array_unique(array_column($all, 0)))]);
        $all = self::together('/one/thing?wait=50000', 6);
        $worker = $all[0][1]['pid'];
        $this->same('one after the other in a sequential route', [200, 200, 200, 200, 200, 200], array_column($all, 0));
        $forked = self::together('/fork/thing?wait=500000', 6); // long enough for all to be there at once
        $pids = array_column(array_column($forked, 1), 'pid');
        $this->check('each in a process of its own', count(array_unique($pids)) === 6 && !in_array($worker, $pids, true), json_encode($forked));
        $this->same('which starts from the booted application', [1], array_values(array_unique(array_column(array_column($forked, 1), 'count'))));
        $this->same('however the path is written', [false, false], array_map(static fn (string $path): bool => json_decode($app->ask($path)[2], true)['pid'] === $worker, ['/%66ork/thing', '//fork/thing']));
        $this->same('an exit of one leaves the worker alone', $worker, [$app->ask('/fork/exit'), json_decode($app->ask('/any/thing')[2], true)['pid']][1]);

        $this->same('the general limit', 504, $app->ask('/any/thing?wait=3000000')[0]);
        $this->same('a longer one', 200, $app->ask('/patient/thing?wait=1500000')[0]);
        $this->same('that of a process', [200, 504], [$app->ask('/fork/thing?wait=1200000')[0], $app->ask('/fork/thing?wait=4000000')[0]]);
        $began = microtime(true);
        $this->same('which ends a loop, too', 504, $app->ask('/fork/busy')[0]);
        $this->check('in time', microtime(true) - $began < 8.0);
        $began = microtime(true);
        [$status, $head, $page] = $app->ask('/any/busy');
        $this->same('a loop in a worker ends at the limit of its route', [504, 'text/html'], [$status, preg_match('~^Content-Type: ([^;\r]+)~m', $head, $type) === 1 ? $type[1] : $head]);
        $this->check('not at the longest of all', microtime(true) - $began < 10.0, sprintf('%.1f s', microtime(true) - $began));
        $this->check('with the place where it was stopped', preg_match('~time limit of 0\.7 seconds.*app\.php:\d+.*class="here".*here~s', $page) === 1, $page);
        $this->check('a wait has its place, too', preg_match('~time limit of 0\.7 seconds.*app\.php:\d+.*class="here".*usleep~s', $app->ask('/any/thing?wait=30000000')[2]) === 1);
        $this->same('the worker is the same still', $worker, json_decode($app->ask('/any/thing')[2], true)['pid']);
        $began = microtime(true);
        $this->same('a loop that catches what stops it has its response', 504, $app->ask('/any/stubborn')[0]);
        $this->check('and takes its worker with it', Server::until(15.0, static fn (): bool => (json_decode($app->ask('/any/thing')[2], true)['pid'] ?? $worker) !== $worker) && microtime(true) - $began < 15.0, $app->output());
        $this->check('the log has the places', preg_match('~GET /any/busy: The request was not finished within its time limit of 0\.7 seconds\. \S+app\.php:\d+$~m', $app->output()) === 1, $app->output());
        $app->stop();

        $this->check('in production', self::serve(['env' => 'prod', 'request-timeout' => 0.5, 'routes' => ['/patient/*' => ['request-timeout' => 60]]]), $app->output());
        foreach (['/any/busy', '/any/thing?wait=30000000'] as $path) {
            [$status, , $page] = $app->ask($path);
            $this->check("a plain page of few words: {$path}", $status === 504 && str_contains($page, '<h1>This takes too long.</h1>') && !str_contains($page, 'app.php') && !str_contains($page, 'class="here"'), $page);
        }
        $app->stop();
    }

    public function testAllSequentialButSome(): void
    {
        $app = self::$app;
        $this->check('sequential with a route that is not', self::serve(['isolation' => 'sequential', 'routes' => ['/live/**' => ['isolation' => 'coroutine', 'request-timeout' => 0]]]), $app->output());
        $waiting = array_map(static function (int $i) use ($app): Peer {
            $peer = new Peer("tcp://127.0.0.1:{$app->port}");
            $peer->send(["GET /live/thing?wait=2000000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            return $peer;
        }, range(1, 5));
        $began = microtime(true);
        $this->same('others are served beside it', 200, $app->ask('/hello/you')[0]);
        $this->check('at once', microtime(true) - $began < 1.5);
        $this->same('and it comes to its end', 5, count(array_filter($waiting, static fn (Peer $peer): bool => str_contains($peer->readToEnd(30.0), ' 200 '))));
        $app->stop();
    }

    public function testMistakes(): void
    {
        $app = self::$app;
        foreach ([
            'an isolation that there is not' => [['/a' => ['isolation' => 'proces']], 'isolation must be one of coroutine, sequential, process, not "proces" (did you mean "process"?)'],
            'a key that there is not' => [['/a' => ['timeout' => 3]], 'has the unknown key "timeout"'],
            'a pattern that is no path' => [['a/*' => []], 'must be a path such as /reports/*'],
            'a time that is none' => [['/a' => ['request-timeout' => 'long']], 'must be a number of seconds, not "long"'],
            'an entry that is no array' => [['/a' => 3], 'with an array such as'],
        ] as $name => [$routes, $sentence]) {
            $this->check("{$name} gives a sentence", !self::serve(['routes' => $routes]) && str_contains($app->output(), $sentence), $app->output());
            $app->stop();
        }
        unset($app);
    }

    private static function serve(array $options): bool
    {
        $app = self::$app;
        file_put_contents("{$app->folder}/stampede.php", '<?php return ' . var_export($options + ['workers' => 1, 'log-format' => 'off'], true) . ';');
        return $app->serve();
    }

    /** What so many requests at once get. @return list<array{int, mixed}> */
    private static function together(string $path, int $count): array
    {
        $app = self::$app;
        $peers = array_map(static function () use ($path, $app): Peer {
            $peer = new Peer("tcp://127.0.0.1:{$app->port}");
            $peer->send(["GET {$path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            return $peer;
        }, range(1, $count));
        return array_map(static function (Peer $peer): array {
            $answer = Answer::all($peer->readToEnd(30.0), ['GET'])[0] ?? null;
            return [$answer->status ?? 0, json_decode($answer->body ?? '', true)];
        }, $peers);
    }

    private static function most(array $responses): int
    {
        return max(array_column(array_column($responses, 1), 'most'));
    }
}
