<?php

declare(strict_types=1);

/* What makes the isolation "process" fast must not be seen: requests that a process gets before it is ready, and those that no client has sent. */

namespace Stampede\Tests\E2e;

final class launcher_forks_test extends EndToEndTest
{
    private const CLIENTS = 16;

    /** The last thing that a process does with its request is the destructor of an object that was there before. */
    private const AHEAD = <<<'PHP'
        <?php
        require __DIR__ . '/vendor/autoload.php';
        use Nyholm\Psr7\Response;
        final class Lasting
        {
            public string $end = '';
            public function __destruct()
            {
                match ($this->end) {
                    'kill' => posix_kill(getmypid(), SIGKILL),
                    'last' => posix_setsid(),
                    'nice' => proc_nice(1),
                    'foreign' => FFI::cdef('int setpriority(int, unsigned, int);')->setpriority(0, 0, 3),
                    default => null,
                };
            }
        }
        $lasting = new Lasting();
        return static function (Psr\Http\Message\ServerRequestInterface $request) use ($lasting): Response {
            parse_str($request->getUri()->getQuery(), $query);
            if (($query['end'] ?? '') === 'now') {
                file_put_contents(__DIR__ . '/begun', "{$query['id']}\n", FILE_APPEND);
                posix_kill(getmypid(), SIGKILL);
            }
            if (($query['end'] ?? '') === 'later') {
                register_shutdown_function(static function (): void {
                    for ($until = microtime(true) + 10; !is_file(__DIR__ . '/goes-on') && microtime(true) < $until; clearstatcache()) {
                        usleep(10_000);
                    }
                    file_put_contents(__DIR__ . '/ended', 'later');
                });
            }
            if (($query['end'] ?? '') === 'soon') {
                register_shutdown_function(static fn (): bool => true);
            }
            if (isset($query['microseconds'])) {
                usleep((int) $query['microseconds']); // even of 0 it would be a wait
            }
            if (isset($query['id'])) {
                file_put_contents(__DIR__ . '/begun', "{$query['id']}\n", FILE_APPEND);
            }
            $lasting->end = $query['end'] ?? '';
            $response = new Response();
            $response->getBody()->write(($query['id'] ?? '') . ' of ' . getmypid() . ' ' . pcntl_getpriority());
            return $response;
        };
        PHP;

    private static Application $app;
    private static bool $isServed;

    public static function setUpBeforeClass(): void
    {
        self::$app = new Application('slim');
        file_put_contents(self::$app->folder . '/ahead.php', self::AHEAD);
        self::$isServed = self::$app->serve(['--workers=1', '--isolation=process', '--bridge=psr15', '--entry=ahead.php', '--request-timeout=20']);
    }

    public static function tearDownAfterClass(): void
    {
        self::$app->stop();
    }

    public function testRequestsOfProcessesThatEnd(): void
    {
        $this->check('the application is served', self::$isServed, self::$app->output());
        $ends = static fn (int $number): string => match (true) {
            $number < 200 || $number % 4 !== 3 => '', // the worker learns that requests are short
            default => ['kill', 'last'][intdiv($number, 4) % 2],
        };
        [$bodies, $processes] = self::load(800, $ends);
        $this->same('each request has its own response', array_map(strval(...), range(0, 799)), $bodies);
        $this->same('and was handled once', range(0, 799), self::begun());
        $this->check('also when its process was to be another one, which has ended', $processes > 100, "{$processes} processes");
        $this->check('which the log does not call a failure', !str_contains(self::$app->output(), 'ended without a response'), self::$app->output());
    }

    public function testRequestsThatEndTheirProcess(): void
    {
        @unlink(self::$app->folder . '/begun');
        [$bodies] = self::load(400, static fn (int $number): string => $number >= 200 && $number % 10 === 5 ? 'now' : '');
        $wanted = array_map(static fn (int $number): string => $number >= 200 && $number % 10 === 5 ? '500' : (string) $number, range(0, 399));
        $this->same('a request that kills its process fails, and none else', $wanted, $bodies);
        $this->same('it is not handled again by another one', range(0, 399), self::begun());
    }

    public function testRequestsAfterLongOnes(): void
    {
        self::load(100, static fn (): string => ''); // the worker learns that requests are short, and sends them to processes that are busy
        @unlink(self::$app->folder . '/begun');
        $long = min(self::CLIENTS - 2, (int) trim((string) shell_exec('nproc'))); // each of the processes that have a processor has one
        $peers = array_map(static fn (): Peer => new Peer('tcp://127.0.0.1:' . self::$app->port), range(1, self::CLIENTS));
        foreach ($peers as $number => $peer) {
            $wait = $number < $long ? '&microseconds=2000000' : '';
            $peer->send(["GET /?id={$number}{$wait} HTTP/1.1\r\nHost: a\r\n\r\n"]);
        }
        $bodies = static fn (array $peers): array => self::bodies(array_map(static fn (Peer $peer): string => ($peer->answers(1, 10.0)[0] ?? null)->body ?? 'none', array_values($peers)));
        $began = microtime(true);
        $short = $bodies(array_slice($peers, $long));
        $seconds = microtime(true) - $began;
        $this->same('after long requests short ones have their responses', array_map(strval(...), range($long, self::CLIENTS - 1)), $short);
        $this->check('before the long ones have ended', $seconds < 1.0, sprintf('%.2f s', $seconds));
        $this->same('which have theirs', array_map(strval(...), range(0, $long - 1)), $bodies(array_slice($peers, 0, $long)));
        $this->same('and each was handled once', range(0, self::CLIENTS - 1), self::begun());
    }

    public function testWorkAfterTheResponse(): void
    {
        $app = self::$app;
        self::load(100, static fn (): string => '');
        $peer = new Peer("tcp://127.0.0.1:{$app->port}");
        $peer->send(["GET /?end=later HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $this->check('a shutdown function does not hold the response', str_contains($peer->readToEnd(5.0), ' of '));
        self::load(50, static fn (): string => '');
        $this->check('nor the requests after it', !is_file("{$app->folder}/ended"));
        touch("{$app->folder}/goes-on");
        $this->check('it runs to its end', Server::until(5.0, static fn (): bool => is_file("{$app->folder}/ended")));
    }

    public function testWorkAfterTheResponseIsOverBeforeTheNextRequest(): void
    {
        $app = self::$app;
        self::load(100, static fn (): string => '');
        $each = min(self::CLIENTS / 2, (int) trim((string) shell_exec('nproc')));
        $peers = array_map(static fn (): Peer => new Peer("tcp://127.0.0.1:{$app->port}"), range(1, 2 * $each));
        foreach ($peers as $number => $peer) {
            $query = $number < $each ? '/soon?end=soon' : '/?microseconds=2000000';
            $peer->send(["GET {$query} HTTP/1.1\r\nHost: a\r\n\r\n"]);
        }
        $isOver = static fn (): bool => substr_count($app->output(), ' /soon') === $each;
        $this->check('the log has requests whose work is over, while their processes have the next ones', Server::until(1.0, $isOver), $app->output());
        foreach ($peers as $peer) {
            $this->check('each has its response', ($peer->answers(1, 10.0)[0] ?? null)?->status === 200);
        }
    }

    public function testChangesOfTheProcess(): void
    {
        $app = self::$app;
        foreach (['nice', 'foreign'] as $end) {
            $app->ask("/?end={$end}");
            $priorities = array_map(static fn (): string => (string) strrchr($app->ask('/')[2], ' '), range(1, 12));
            $this->same("a process that has changed its priority ends ({$end})", [' 0'], array_values(array_unique($priorities)));
        }
        $this->check('and the log says why', str_contains($app->output(), "it has changed the process's user, group, session, root, priority or limits"), $app->output());
    }

    public function testWarmUpsUntilTheJitHasCompiled(): void
    {
        $app = new Application('slim');
        file_put_contents("{$app->folder}/ahead.php", self::AHEAD);
        $warmed = static fn (): int => count(array_filter(file("{$app->folder}/begun") ?: [], static fn (string $line): bool => trim($line) === '7'));
        $options = ['--workers=1', '--isolation=process', '--bridge=psr15', '--entry=ahead.php', '--warm-up=/?id=7', '--env=prod'];
        $this->check('without the JIT', $app->serve($options, settings: ['opcache.jit=off']), $app->output());
        $this->same('a warm-up is one request', 1, $warmed());
        $app->stop();
        unlink("{$app->folder}/begun");
        $this->check('with it', $app->serve($options, settings: ['opcache.jit=tracing']), $app->output());
        $this->check('it is repeated', ($times = $warmed()) > 20 && $times <= 301, (string) $times);
        $this->same('and requests are as before', ['5', '6'], self::bodies([$app->ask('/?id=5')[2], $app->ask('/?id=6')[2]]));
        $app->stop();
        $slow = ['--workers=1', '--isolation=process', '--bridge=psr15', '--entry=ahead.php', '--warm-up=/?microseconds=900000', '--env=prod', '--boot-timeout=3'];
        $this->check('one that is slow is repeated in the time for the boot', $app->serve($slow, settings: ['opcache.jit=tracing']), $app->output());
        $app->stop();
        unset($app);
    }

    public function testSymfonyIsRehearsed(): void
    {
        $app = new Application('symfony');
        $front = (string) file_get_contents("{$app->folder}/public/index.php");
        // Notes which process has loaded a class.
        $noting = 'spl_autoload_register(static function (string $class): void { file_put_contents(dirname(__DIR__) . "/loads", getmypid() . " $class\n", FILE_APPEND); }, prepend: true);';
        file_put_contents("{$app->folder}/public/index.php", str_replace("return function", "{$noting}\nreturn function", $front));
        $options = ['--workers=1', '--isolation=process', '--env=prod'];
        $this->check('Symfony is served', $app->serve($options), $app->output());
        $loads = static function () use ($app): array {
            $pids = array_count_values(array_map(intval(...), file("{$app->folder}/loads") ?: []));
            unlink("{$app->folder}/loads");
            return $pids;
        };
        $atBoot = array_sum($loads());
        $this->same('a request', [200, '{"hello":"you","mode":"web=1\\u0026worker=1","services":1}'], [($response = $app->ask('/hello/you'))[0], $response[2]]);
        $inRequest = array_sum($loads());
        $this->check('finds nearly all of Symfony loaded, without a warm-up', $inRequest < 15 && $atBoot > 100, "{$atBoot} classes at boot, {$inRequest} in the request");
        $app->stop();
        $kernel = (string) file_get_contents("{$app->folder}/src/Kernel.php");
        $listener = <<<'PHP'
            $container->services()->set('listener', Listener::class)->tag('kernel.event_listener', ['event' => 'kernel.request', 'method' => 'listen']);
            PHP;
        file_put_contents("{$app->folder}/src/Kernel.php", str_replace("\$container->services()->set('counter'", "{$listener}\n        \$container->services()->set('counter'", $kernel));
        file_put_contents("{$app->folder}/src/Listener.php", <<<'PHP'
            <?php
            namespace App;
            final class Listener
            {
                public function __construct()
                {
                    file_put_contents(dirname(__DIR__) . '/called', "made\n", FILE_APPEND);
                }
                public function listen(object $event): void
                {
                    file_put_contents(dirname(__DIR__) . '/called', "called\n", FILE_APPEND);
                }
            }
            PHP);
        foreach (glob("{$app->folder}/var/cache/prod/*.php") ?: [] as $file) {
            unlink($file);
        }
        $this->check('an application with a listener of its own is served', $app->serve($options), $app->output());
        $this->check('which was not made or called by a request that nobody has sent', !is_file("{$app->folder}/called"));
        $loads();
        $this->same('it is by one of a client', [200, "made\ncalled\n"], [$app->ask('/hello/you')[0], (string) @file_get_contents("{$app->folder}/called")]);
        $this->check('which finds nearly all of Symfony loaded all the same', ($inRequest = array_sum($loads())) < 15, "{$inRequest} in the request");
        $this->same('and by the next one', [200, "made\ncalled\nmade\ncalled\n"], [$app->ask('/hello/you')[0], (string) @file_get_contents("{$app->folder}/called")]);
        $app->stop();
        unset($app);
    }

    /**
     * Many clients at once, each with one request after the other.
     *
     * @param callable(int): string $ends how the process of a request is to end
     * @return array{list<string>, int} the first words of the bodies by the number of the request, statuses of failures; and how many processes there were
     */
    private static function load(int $requests, callable $ends): array
    {
        $peers = array_map(static fn (): Peer => new Peer('tcp://127.0.0.1:' . self::$app->port), range(1, self::CLIENTS));
        $bodies = $processes = [];
        for ($first = 0; $first < $requests; $first += self::CLIENTS) {
            $numbers = range($first, min($first + self::CLIENTS, $requests) - 1);
            foreach ($numbers as $i => $number) {
                $peers[$i]->send(["GET /?id={$number}&end={$ends($number)} HTTP/1.1\r\nHost: a\r\n\r\n"]);
            }
            foreach ($numbers as $i => $number) {
                $answer = $peers[$i]->answers(intdiv($number, self::CLIENTS) + 1, 10.0)[intdiv($number, self::CLIENTS)] ?? null;
                $words = explode(' ', $answer->body ?? 'none');
                $bodies[$number] = $answer !== null && $answer->status !== 200 ? (string) $answer->status : $words[0];
                $processes[$words[2] ?? ''] = true;
            }
        }
        return [array_values($bodies), count($processes)];
    }

    /**
     * @param list<string> $bodies
     * @return list<string> their first words
     */
    private static function bodies(array $bodies): array
    {
        return array_map(static fn (string $body): string => explode(' ', $body)[0], $bodies);
    }

    /** @return list<int> the requests that the application has seen, in order of their numbers */
    private static function begun(): array
    {
        $numbers = array_map(intval(...), file(self::$app->folder . '/begun') ?: []);
        sort($numbers);
        return $numbers;
    }
}
