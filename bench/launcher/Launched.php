<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** Measures applications that the command serves, one question after another, each with servers of its own. */
final class Launched
{
    private const CONNECTIONS = 16;
    private const WORKERS = 4;
    private const SLICES = 20;
    private const SHARE = 0.6; // of what the slowest server can do: all of them get as many requests
    private const MESSAGE = ['/', "{\"hello\":\"you\"}\n"];
    private const HELLO = ['/hello/you', '{"hello":"you"}'];

    private Folder $folder;
    /** @var list<Program> that run */
    private array $programs = [];

    public function __construct(private readonly Part $part, private readonly float $seconds, private readonly int $rounds, private readonly int $requests)
    {
        $this->folder = new Folder('launcher');
    }

    public function ask(string $question): void
    {
        try {
            match ($question) {
                'symfony' => $this->symfony(),
                'psr15' => $this->psr15(),
                'bridges' => $this->bridges(),
                'reload' => $this->reload(),
                'memory' => $this->memory(),
                default => throw new \InvalidArgumentException("There is no question \"$question\" here."),
            };
        } finally {
            $this->stop();
        }
        $this->part->step($question);
    }

    public function end(): void
    {
        $this->folder->remove();
    }

    private function symfony(): void
    {
        $application = $this->sample();
        $port = free_port();
        $others = [
            'Stampede' => [],
            'Stampede, isolation process' => ['--isolation=process'],
            'Stampede, isolation process, warmed up' => ['--isolation=process', '--warm-up=/hello/nobody'],
            'Stampede, a new process for each request' => ['--isolation=process', '--fresh-processes'],
        ];
        // The kernel is an anonymous class, whose name is another one in each kind of process, and with it that of the compiled container. Each is
        // written by a first start, and old enough for opcache in the second one, as after a deployment that warms caches up.
        foreach (['first', 'second'] as $start) {
            $servers = ['nginx+FPM' => [Opponents::nginx_fpm($this->folder, $port, "$application/public", self::WORKERS), $port]];
            $this->keep(...$servers['nginx+FPM'][0]);
            foreach ($others as $name => $options) {
                $servers[$name] = $this->launched($application, ['--workers=' . self::WORKERS, ...$options]);
            }
            if ($start === 'first') {
                foreach ($servers as [$programs, $at]) {
                    CheckedLoad::run($programs, $at, 1, 0.5, Requests::to(...self::HELLO));
                }
                $this->stop();
                Folder::shell('chmod -R a+rwX ' . escapeshellarg("$application/var"));
                Folder::aged($application);
            }
        }
        $loads = $this->in_turns($servers, Requests::to(...self::HELLO));
        $limits = ['Stampede' => 8.0, 'Stampede, isolation process' => 3.0, 'Stampede, isolation process, warmed up' => 3.0, 'Stampede, a new process for each request' => null];
        foreach ($limits as $name => $limit) {
            $pairs = [$loads[$name], $loads['nginx+FPM']];
            $this->part->figure(new Figure("Symfony: requests per second, $name / nginx+FPM", array_map(static fn (CheckedLoad $own, CheckedLoad $fpm): float => $own->rate() / $fpm->rate(), ...$pairs), $limit));
            $this->part->figure(new Figure("Symfony: CPU time of a request, nginx+FPM / $name", array_map(static fn (CheckedLoad $own, CheckedLoad $fpm): float => $fpm->cpu_microseconds / $own->cpu_microseconds, ...$pairs)));
        }
        $handOver = HandOver::microseconds();
        $ceilings = array_map(static fn (CheckedLoad $own, CheckedLoad $fpm): float => $fpm->cpu_microseconds / ($own->cpu_microseconds + $handOver), $loads['Stampede'], $loads['nginx+FPM']);
        $this->part->figure(new Figure(sprintf('ceiling of the isolation process: CPU time, nginx+FPM / (Stampede + a bare hand-over, %.0f µs)', $handOver), $ceilings));
        $this->part->table('The Symfony sample', ['server', 'requests/s', 'CPU µs a request', 'p50 ms', 'p99 ms', 'failed or wrong'], self::rows($loads));
    }

    private function psr15(): void
    {
        $application = $this->folder->application(dirname(__DIR__, 2) . '/examples/function', 'function');
        mkdir("$application/front");
        copy(__DIR__ . '/front.php', "$application/front/index.php");
        Folder::aged($application);
        $ports = ['nginx+FPM' => free_port(), 'built-in' => free_port()];
        $servers = ['nginx+FPM' => [Opponents::nginx_fpm($this->folder, $ports['nginx+FPM'], "$application/front", self::WORKERS), $ports['nginx+FPM']]];
        $this->keep(...$servers['nginx+FPM'][0]);
        $servers['Stampede'] = $this->launched($application, ['--workers=' . self::WORKERS]);
        $loads = $this->in_turns($servers, Requests::to(...self::MESSAGE));
        $this->part->figure(self::times('PSR-15: requests per second, Stampede / nginx+FPM', $loads['Stampede'], $loads['nginx+FPM'], 3.0));
        $this->part->table('The PSR-15 sample', ['server', 'requests/s', 'CPU µs a request', 'p50 ms', 'p99 ms', 'failed or wrong'], self::rows($loads));

        $servers = ['built-in' => [[Opponents::built_in($this->folder, $ports['built-in'], "$application/front")], $ports['built-in']]] + $servers;
        $this->keep(...$servers['built-in'][0]);
        $loads = $this->in_turns($servers, Requests::to(...self::MESSAGE), connections: 1);
        foreach (['built-in' => 150.0, 'nginx+FPM' => 3.0] as $name => $limit) {
            $this->part->figure(self::times("PSR-15, one connection: requests per second, Stampede / $name", $loads['Stampede'], $loads[$name], $limit));
        }
        $this->part->table('The PSR-15 sample over one connection', ['server', 'requests/s', 'CPU µs a request', 'p50 ms', 'p99 ms', 'failed or wrong'], self::rows($loads));
    }

    /**
     * @param non-empty-list<CheckedLoad> $own
     * @param non-empty-list<CheckedLoad> $other
     */
    private static function times(string $name, array $own, array $other, float $limit): Figure
    {
        return new Figure($name, array_map(static fn (CheckedLoad $own, CheckedLoad $other): float => $own->rate() / $other->rate(), $own, $other), $limit);
    }

    private function bridges(): void
    {
        $port = free_port();
        $bare = Opponents::stampede(__DIR__ . '/server.php', $port, []);
        $this->keep($bare);
        $servers = ['bare' => [[$bare], $port]];
        $applications = ['plain' => $this->folder->copy(__DIR__ . '/plain', 'plain'), 'PSR-15' => $this->folder->application(__DIR__ . '/psr15', 'psr15')];
        foreach ($applications as $name => $application) {
            Folder::aged($application);
            $servers[$name] = $this->launched($application, ['--workers=1']);
        }
        $requests = Requests::to('/', "Hello from a script\n");
        $rate = self::SHARE * min(array_map(fn (array $server): float => CheckedLoad::run([], $server[1], self::CONNECTIONS, $this->warming(), $requests)->rate(), $servers));
        $loads = $this->in_turns($servers, $requests, $rate);
        foreach (['plain' => 5.0, 'PSR-15' => 12.0] as $name => $limit) {
            $added = array_map(static fn (CheckedLoad $own, CheckedLoad $bare): float => $own->cpu_microseconds - $bare->cpu_microseconds, $loads[$name], $loads['bare']);
            $this->part->figure(new Figure("CPU time that the bridge adds to a request, µs, $name", $added, $limit, false, $limit));
        }
        $this->part->table(sprintf('A short response, %s times a second', number_format($rate)), ['bridge', 'requests/s', 'CPU µs a request', 'p50 ms', 'p99 ms', 'failed or wrong'], self::rows($loads));
    }

    private function reload(): void
    {
        [[$server], $port] = $this->launched($this->sample(), ['--workers=' . self::WORKERS]);
        $requests = Requests::to(...self::HELLO);
        CheckedLoad::run([$server], $port, self::CONNECTIONS, $this->seconds, $requests); // it is warm now
        $loads = [];
        for ($round = 0; $round < $this->rounds; $round++) {
            $loads['usual'][] = $this->counted(CheckedLoad::run([$server], $port, self::CONNECTIONS, $this->seconds, $requests));
            $reloads = $this->reloading($server->pid(), max(1, (int) $this->seconds));
            $loads['with a reload each second'][] = $this->counted(CheckedLoad::run([$server], $port, self::CONNECTIONS, $this->seconds, $requests));
            pcntl_waitpid($reloads, $status);
        }
        $ratios = array_map(static fn (CheckedLoad $with, CheckedLoad $usual): float => $with->percentiles['99'] / $usual->percentiles['99'], $loads['with a reload each second'], $loads['usual']);
        $this->part->figure(new Figure('p99 of requests, with a reload each second / without', $ratios, 2.0, false, 2.0));
        $failed = array_map(static fn (CheckedLoad $load): float => (float) $load->bad(), $loads['with a reload each second']);
        $this->part->figure(new Figure('requests that reloads cost', [array_sum($failed)], 0.0, false, 0.0));
        $this->part->table('Reloads under full load', ['', 'requests/s', 'CPU µs a request', 'p50 ms', 'p99 ms', 'failed or wrong'], self::rows($loads));
    }

    /** @return int the process that asks for one reload after another */
    private function reloading(int $server, int $times): int
    {
        $process = pcntl_fork();
        if ($process === 0) {
            for ($i = 0; $i < $times; $i++) {
                posix_kill($server, SIGUSR1);
                sleep(1);
            }
            posix_kill((int) getmypid(), SIGKILL); // what the parent has is not ended here
        }
        return $process;
    }

    private function memory(): void
    {
        $product = $this->folder->application(dirname(__DIR__, 2) . '/examples/product', 'product');
        $cases = [
            'the Symfony sample' => [$this->sample(), Requests::to(...self::HELLO)],
            'the product' => [$product, (new Requests())->add('GET', '/login', '<form', check: 'contains')],
        ];
        $rows = [];
        foreach ($cases as $name => [$application, $requests]) {
            [[$server], $port] = $this->launched($application, ['--workers=2']);
            [$done, $memory] = $this->slices($server, $port, $requests);
            $settled = $memory[(int) (count($memory) / 10)];
            $last = end($memory);
            $this->part->figure(new Figure("memory after $done requests / after the first tenth, $name", [$last / $settled], 1.05, false, 1.05));
            $rows[] = [$name, number_format($done), sprintf('%.1f', $settled / 1024), sprintf('%.1f', max($memory) / 1024), sprintf('%.1f', $last / 1024)];
            $this->stop();
        }
        $this->part->table('Private memory, MiB', ['application', 'requests', 'after a tenth', 'most', 'at the end'], $rows);
    }

    /** @return array{int, non-empty-list<int>} requests, and the kilobytes after each slice */
    private function slices(Program $server, int $port, Requests $requests): array
    {
        $done = 0;
        $memory = [];
        $seconds = 1.0;
        while ($done < $this->requests || count($memory) < 2) {
            $load = $this->counted(CheckedLoad::run([$server], $port, self::CONNECTIONS, $seconds, $requests));
            if ($load->requests === 0) {
                throw new \RuntimeException('The server does not respond. ' . Opponents::complaints([$server]));
            }
            $done += $load->requests;
            $memory[] = $server->private_kilobytes();
            $seconds = max(0.2, $this->requests / self::SLICES / $load->requests * $seconds);
        }
        return [$done, $memory];
    }

    /** Seconds under load until a server is as fast as it becomes: its JIT has compiled what there is, nginx and FPM have all their processes. */
    private function warming(): float
    {
        return $this->part->smoke ? $this->seconds : max(5.0, $this->seconds);
    }

    /** The Symfony sample as it is deployed: its environment is written down, its container compiled. */
    private function sample(): string
    {
        $application = "{$this->folder->path}/symfony";
        if (is_dir($application)) {
            return $application;
        }
        $this->folder->application(dirname(__DIR__, 2) . '/examples/symfony', 'symfony');
        file_put_contents("$application/.env.local.php", "<?php return ['APP_ENV' => 'prod', 'APP_DEBUG' => '0'];\n");
        Folder::shell('cd ' . escapeshellarg($application) . ' && ' . PHP_BINARY . ' public/index.php');
        Folder::shell('chmod -R a+rwX ' . escapeshellarg("$application/var"));
        Folder::aged($application);
        return $application;
    }

    /**
     * @param array<string, array{non-empty-list<Program>, int}> $servers
     * @param float $rate of the requests a second; 0: as many as a server can do
     * @return array<string, non-empty-list<CheckedLoad>>
     */
    private function in_turns(array $servers, Requests $requests, float $rate = 0, int $connections = self::CONNECTIONS): array
    {
        $loads = [];
        for ($round = -1; $round < $this->rounds; $round++) { // the first warms up
            foreach ($servers as $name => [$programs, $port]) {
                $load = CheckedLoad::run($programs, $port, $connections, $round < 0 ? $this->warming() : $this->seconds, $requests, $rate);
                if ($load->requests === 0) {
                    throw new \RuntimeException("$name does not respond: $load->sample " . Opponents::complaints($programs));
                }
                if ($name !== 'nginx+FPM' && $name !== 'built-in') {
                    $this->counted($load);
                } elseif ($load->wrong > 0) {
                    throw new \RuntimeException("$name sends another page: $load->sample");
                }
                if ($round >= 0) {
                    $loads[$name][] = $load;
                }
            }
        }
        return $loads;
    }

    /**
     * @param array<string, non-empty-list<CheckedLoad>> $loads
     * @return list<list<string>>
     */
    private static function rows(array $loads): array
    {
        $rows = [];
        foreach ($loads as $name => $of) {
            $middle = static fn (\Closure $what): float => median(array_map($what, $of));
            $rows[] = [
                $name,
                number_format($middle(static fn (CheckedLoad $load): float => $load->rate())),
                sprintf('%.1f', $middle(static fn (CheckedLoad $load): float => $load->cpu_microseconds)),
                sprintf('%.2f', $middle(static fn (CheckedLoad $load): float => $load->percentiles['50'] / 1000)),
                sprintf('%.2f', $middle(static fn (CheckedLoad $load): float => $load->percentiles['99'] / 1000)),
                (string) array_sum(array_map(static fn (CheckedLoad $load): int => $load->bad(), $of)),
            ];
        }
        return $rows;
    }

    private function counted(CheckedLoad $load): CheckedLoad
    {
        $this->part->failed($load->bad());
        return $load;
    }

    /**
     * @param list<string> $options
     * @return array{array{Program}, int}
     */
    private function launched(string $application, array $options): array
    {
        $port = free_port();
        $program = Opponents::launcher($this->folder, $port, $application, [...$options, '--env=prod', "--pid-file={$this->folder->path}/$port.json"], "stampede-$port");
        $this->keep($program);
        return [[$program], $port];
    }

    private function keep(Program ...$programs): void
    {
        array_push($this->programs, ...array_values($programs));
    }

    private function stop(): void
    {
        foreach (array_splice($this->programs, 0) as $program) {
            $program->stop();
        }
    }
}
