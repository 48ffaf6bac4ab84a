<?php

declare(strict_types=1);

namespace Stampede\Bench;

use Stampede\Tests\E2e\Database;

/** Answers one question after another, each with servers of its own. */
final class Sceptic
{
    private const PAGE = '/articles/2024/a-long-day';
    private const CONNECTIONS = 32;
    private const SLICES = 5;
    private const LIMIT = 512; // MiB of a container

    private Folder $folder;
    private string $application;
    private string $page = '';
    /** @var list<Program> that run */
    private array $programs = [];

    public function __construct(private readonly Part $part, private readonly float $seconds, private readonly int $rounds, private readonly int $events)
    {
        $this->folder = new Folder('sceptic');
        $this->application = $this->folder->application(dirname(__DIR__) . '/connection/app', 'slim-psr7');
    }

    public function ask(string $question): void
    {
        if (!in_array($question, ['container', 'jit', 'xdebug', 'distance', 'restarts', 'start', 'memory', 'events'], true)) {
            throw new \InvalidArgumentException("Nobody asks \"$question\" here.");
        }
        try {
            $this->$question();
        } finally {
            $this->stop();
        }
        $this->part->step($question);
    }

    public function end(): void
    {
        $this->folder->remove();
    }

    private function container(): void
    {
        $confined = ['taskset', '-c', (string) own_processor(), $this->confined(), (string) self::LIMIT];
        [$own, $port] = $this->launched(['--workers=1'], under: $confined);
        $other = free_port();
        $fpm = $this->keep(...Opponents::nginx_fpm($this->folder, $other, "$this->application/public", 4));
        foreach ($fpm as $program) {
            foreach ($program->tree() as $pid) {
                Folder::shell('taskset -apc ' . own_processor() . " $pid");
            }
        }
        $this->compare('a page in a container', ['Stampede' => [[$own], $port], 'nginx+FPM' => [$fpm, $other]]);
        $this->file($confined);
    }

    /**
     * A file that is read for each request, with io_uring and without: threads do what it cannot.
     *
     * @param list<string> $confined
     */
    private function file(array $confined): void
    {
        $file = "{$this->folder->path}/file";
        file_put_contents($file, str_repeat('x', 4096));
        $runs = [];
        foreach (['confined' => $confined, 'free' => array_slice($confined, 0, 3)] as $name => $under) {
            $port = free_port();
            $command = [...$under, ...Opponents::php_with_module(), __DIR__ . '/server.php', (string) $port, '1', $file];
            [$program] = $this->keep(new Program('stampede', $command, $port, environment: Opponents::php_environment()));
            for ($round = 0; $round < $this->rounds; $round++) {
                $runs[$name][] = $this->counted(CheckedLoad::run([$program], $port, self::CONNECTIONS, $this->seconds, Requests::to('/file', str_repeat('x', 4096))));
            }
        }
        $this->part->figure(new Figure('a file of 4 KiB for each request: CPU time with io_uring refused / allowed', array_map(static fn (CheckedLoad $confined, CheckedLoad $free): float => $confined->cpu_microseconds / $free->cpu_microseconds, $runs['confined'], $runs['free']), more: false));
    }

    private function jit(): void
    {
        [$with, $port] = $this->launched(['--workers=1']);
        [$without, $other] = $this->launched(['--workers=1'], php: ['-d', 'opcache.jit=off', '-d', 'opcache.jit_buffer_size=0']);
        $this->beside('the JIT on / off', [$with, $port], [$without, $other]);
    }

    private function xdebug(): void
    {
        exec(dirname(__DIR__, 2) . '/tools/fetch-xdebug 2>&1', $output, $status);
        if ($status !== 0) {
            $this->part->note('Xdebug could not be fetched: ' . end($output));
            return;
        }
        // The JIT cannot be used beside Xdebug, loaded or not: it is off in both.
        $off = ['-d', 'opcache.jit=off', '-d', 'opcache.jit_buffer_size=0'];
        [$with, $port] = $this->launched(['--workers=1'], php: [...$off, '-d', 'zend_extension=' . end($output), '-d', 'xdebug.mode=off']);
        [$without, $other] = $this->launched(['--workers=1'], php: $off);
        $this->beside('Xdebug loaded and idle / not loaded', [$with, $port], [$without, $other]);
    }

    private function distance(): void
    {
        $database = Database::postgres(['max_connections=200']);
        $arena = dirname(__DIR__) . '/arena';
        require_once "$arena/Data.php";
        for ($deadline = microtime(true) + 30; ; usleep(50_000)) {
            try {
                $postgres = new \PDO("pgsql:host=127.0.0.1;port=$database->port;dbname=postgres;user=postgres");
                break;
            } catch (\PDOException $failure) {
                if (microtime(true) > $deadline) {
                    throw $failure;
                }
            }
        }
        $postgres->exec('CREATE TABLE world (id INT PRIMARY KEY, randomNumber INT NOT NULL)');
        $postgres->exec('INSERT INTO world SELECT id, 1 + id % 10000 FROM generate_series(1, ' . \Data::ROWS . ') AS id');
        $site = $this->folder->copy("$arena/fpm", 'site');
        $this->folder->copy("$arena/Data.php", 'Data.php');
        make_certificate($this->folder->path);
        mkdir("{$this->folder->path}/files");
        $workers = trim((string) shell_exec('nproc'));
        foreach ([1, 20] as $milliseconds) {
            $far = free_port();
            $this->keep(new Program('delay', [...Opponents::php_with_module(), __DIR__ . '/delay.php', (string) $far, (string) $database->port, (string) ($milliseconds / 2)], $far));
            putenv("BENCH_DATABASE=$far");
            putenv('BENCH_REDIS=0');
            $port = free_port();
            [$own] = $this->keep(Opponents::stampede("$arena/server.php", $port, [$workers, $this->folder->path, (string) free_port(), '64']));
            $other = free_port();
            $fpm = $this->keep(...Opponents::nginx_fpm($this->folder, $other, $site, 32));
            $requests = (new Requests())->add('GET', '/db', '"randomNumber":', check: 'contains');
            $this->compare("a query, the database $milliseconds ms away", ['Stampede' => [[$own], $port], 'nginx+FPM' => [$fpm, $other]], $requests, 64);
            $this->stop();
        }
    }

    private function restarts(): void
    {
        $rows = [];
        foreach (['reload' => SIGUSR1, 'a worker killed' => SIGKILL] as $what => $signal) {
            [$own, $port] = $this->launched(['--workers=2']);
            $load = $this->disturbed($own, $port, $signal);
            $times = max(1, (int) $this->seconds) * $this->rounds;
            $rows[] = [$what, (string) $times, number_format($load->requests), (string) $load->wrong, (string) $load->failed];
            if ($signal === SIGUSR1) {
                $this->part->failed($load->bad());
            } else {
                $this->part->failed($load->wrong);
                $this->part->figure(new Figure('requests that a killed worker took along, of those it can have had', [$load->failed / ($times * self::CONNECTIONS)], 1.0, false));
            }
            $this->stop();
        }
        $this->part->table('Restarts under load, one each second', ['', 'times', 'requests', 'wrong', 'failed'], $rows);
    }

    private function disturbed(Program $program, int $port, int $signal): CheckedLoad
    {
        $seconds = max(1, (int) $this->seconds) * $this->rounds;
        $requests = $this->page($port);
        $this->first($port); // there are workers now
        $disturber = pcntl_fork();
        if ($disturber === 0) {
            for ($i = 0; $i < $seconds; $i++) {
                $workers = array_slice($program->tree(), 1);
                posix_kill($signal === SIGKILL ? $workers[array_rand($workers)] : $program->pid(), $signal);
                sleep(1);
            }
            posix_kill((int) getmypid(), SIGKILL); // what the parent has is not ended here
        }
        $load = CheckedLoad::run([$program], $port, self::CONNECTIONS, $seconds + 1, $requests);
        pcntl_waitpid($disturber, $status);
        return $load;
    }

    private function start(): void
    {
        $times = ['Stampede' => [], 'nginx+FPM' => []];
        for ($round = 0; $round < $this->rounds; $round++) {
            $began = microtime(true);
            [, $port] = $this->launched(['--workers=2']);
            $this->first($port);
            $times['Stampede'][] = microtime(true) - $began;
            $began = microtime(true);
            $port = free_port();
            $this->keep(...Opponents::nginx_fpm($this->folder, $port, "$this->application/public", 2));
            $this->first($port);
            $times['nginx+FPM'][] = microtime(true) - $began;
            $this->stop();
        }
        $this->part->figure(new Figure('time from the command to the first response, Stampede / nginx+FPM', array_map(static fn (float $own, float $other): float => $own / $other, $times['Stampede'], $times['nginx+FPM']), more: false));
        $this->part->table('Start', ['server', 'ms to the first response'], array_map(static fn (string $who, array $all): array => [$who, sprintf('%.0f', 1000 * median($all))], array_keys($times), $times));
    }

    private function memory(): void
    {
        $kilobytes = [];
        $more = $this->part->smoke ? 2 : 8;
        foreach ([1, 1 + $more] as $workers) {
            [$own, $port] = $this->launched(["--workers=$workers"]);
            $other = free_port();
            $fpm = $this->keep(...Opponents::nginx_fpm($this->folder, $other, "$this->application/public", $workers));
            foreach (['Stampede' => [[$own], $port], 'nginx+FPM' => [$fpm, $other]] as $who => [$programs, $at]) {
                $this->counted(CheckedLoad::run($programs, $at, self::CONNECTIONS, max(1, $this->seconds / 2), $this->page($at)));
                $kilobytes[$who][] = array_sum(array_map(static fn (Program $program): int => $program->proportional_kilobytes(), $programs));
            }
            $this->stop();
        }
        $each = array_map(static fn (array $of): float => ($of[1] - $of[0]) / $more / 1024, $kilobytes);
        $this->part->figure(new Figure('memory of a further worker, Stampede / process of FPM', [$each['Stampede'] / max(0.1, $each['nginx+FPM'])], more: false));
        $this->part->table('Memory after load', ['server', 'MiB with one worker', 'MiB with ' . (1 + $more), 'MiB for each further one'], array_map(static fn (string $who): array => [$who, sprintf('%.1f', $kilobytes[$who][0] / 1024), sprintf('%.1f', $kilobytes[$who][1] / 1024), sprintf('%.1f', $each[$who])], array_keys($each)));
    }

    private function events(): void
    {
        $ports = ['without' => free_port(), 'with' => free_port()];
        $programs = array_map(fn (int $port): array => $this->keep(Opponents::stampede(__DIR__ . '/server.php', $port, ['1', '/dev/null'])), $ports);
        $clients = [];
        while (count($clients) < $this->events) {
            $client = stream_socket_client("tcp://127.0.0.1:{$ports['with']}", $code, $message, 10) ?: throw new \RuntimeException("connect: $message");
            fwrite($client, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
            $clients[] = $client;
        }
        $loads = ['without' => [], 'with' => []];
        for ($round = 0; $round < $this->rounds * self::SLICES; $round++) {
            $order = array_keys($ports);
            shuffle($order);
            foreach ($order as $which) {
                $loads[$which][] = $this->counted(CheckedLoad::run($programs[$which], $ports[$which], self::CONNECTIONS, max(1, $this->seconds / self::SLICES), Requests::to('/', "Hello World\n"), 1000));
            }
        }
        ['with' => $with, 'without' => $without] = $loads;
        $silent = 0;
        foreach ($clients as $client) {
            stream_set_timeout($client, 10);
            $silent += (int) !str_contains((string) stream_get_contents($client, 400), "data: 1\n");
        }
        $this->part->failed($silent);
        $this->part->figure(new Figure("p99 of ordinary requests, with / without $this->events clients that receive events", array_map(static fn (CheckedLoad $a, CheckedLoad $b): float => $a->percentiles['99'] / $b->percentiles['99'], $with, $without), more: false, value: CheckedLoad::middle($with)->percentiles['99'] / CheckedLoad::middle($without)->percentiles['99']));
        $this->part->table("Ordinary requests at 1,000 a second beside $this->events clients of events, one worker", ['', 'p50 ms', 'p99 ms', 'p99.9 ms', 'failed or wrong', 'clients without events'], [
            ['without', ...self::times($without), ''], ['with', ...self::times($with), (string) $silent],
        ]);
        $this->part->plot('events', ['kind' => 'histogram', 'title' => "Latency of ordinary requests beside $this->events clients of events", 'x' => 'milliseconds (log)', 'y' => 'percent of the requests', 'log_x' => true, 'series' => ['without' => CheckedLoad::middle($without)->shares(), 'with' => CheckedLoad::middle($with)->shares()]]);
    }

    /**
     * @param list<CheckedLoad> $loads
     * @return list<string>
     */
    private static function times(array $loads): array
    {
        $middle = static fn (string $part): string => sprintf('%.2f', median(array_map(static fn (CheckedLoad $load): float => $load->percentiles[$part] / 1000, $loads)));
        return [$middle('50'), $middle('99'), $middle('99.9'), (string) array_sum(array_map(static fn (CheckedLoad $load): int => $load->bad(), $loads))];
    }

    /** @param array<string, array{list<Program>, int}> $servers Stampede first */
    private function compare(string $what, array $servers, ?Requests $requests = null, int $connections = self::CONNECTIONS): void
    {
        $runs = $rows = [];
        for ($round = 0; $round < $this->rounds; $round++) {
            foreach ($servers as $who => [$programs, $port]) {
                $runs[$who][] = $load = CheckedLoad::run($programs, $port, $connections, $this->seconds, $requests ?? $this->page($port));
                if ($load->rate() <= 0) {
                    throw new \RuntimeException("$what: $who gave no right response in {$load->seconds} s. $load->sample" . Opponents::complaints($programs));
                }
            }
        }
        [$own, $other] = array_values($runs);
        array_map($this->counted(...), $own);
        $this->part->figure(new Figure("$what: requests per second, Stampede / nginx+FPM", array_map(static fn (CheckedLoad $a, CheckedLoad $b): float => $a->rate() / $b->rate(), $own, $other), 1.0));
        foreach ($runs as $who => $of) {
            $rows[] = [$who, number_format(median(array_map(static fn (CheckedLoad $load): float => $load->rate(), $of))), sprintf('%.0f', median(array_map(static fn (CheckedLoad $load): float => $load->cpu_microseconds, $of))), ...self::times($of)];
        }
        $this->part->table(ucfirst($what), ['server', 'requests/s', 'CPU µs a request', 'p50 ms', 'p99 ms', 'p99.9 ms', 'failed or wrong'], $rows);
    }

    /**
     * @param array{Program, int} $with
     * @param array{Program, int} $without
     */
    private function beside(string $what, array $with, array $without): void
    {
        $ratios = [];
        for ($round = 0; $round < $this->rounds; $round++) {
            $costs = [];
            foreach ([$with, $without] as [$program, $port]) {
                $costs[] = $this->counted(CheckedLoad::run([$program], $port, self::CONNECTIONS, $this->seconds, $this->page($port)))->cpu_microseconds;
            }
            $ratios[] = $costs[0] / $costs[1];
        }
        $this->part->figure(new Figure("CPU time of a request, $what", $ratios, more: false));
    }

    /**
     * @param list<string> $options
     * @param list<string> $php
     * @param list<string> $under
     * @return array{Program, int}
     */
    private function launched(array $options, array $php = [], array $under = []): array
    {
        $port = free_port();
        [$program] = $this->keep(Opponents::launcher($this->folder, $port, $this->application, [...$options, '--env=prod', "--pid-file={$this->folder->path}/$port.json"], "stampede-$port", $php, $under));
        return [$program, $port];
    }

    /** @return list<Program> */
    private function keep(Program ...$programs): array
    {
        array_push($this->programs, ...array_values($programs));
        return array_values($programs);
    }

    private function stop(): void
    {
        foreach (array_splice($this->programs, 0) as $program) {
            $program->stop();
        }
    }

    private function counted(CheckedLoad $load): CheckedLoad
    {
        $this->part->failed($load->bad());
        return $load;
    }

    private function page(int $port): Requests
    {
        if ($this->page === '') {
            $this->page = $this->first($port);
        }
        return Requests::to(self::PAGE, $this->page);
    }

    private function first(int $port): string
    {
        $page = (string) file_get_contents("http://127.0.0.1:$port" . self::PAGE);
        if (!str_contains($page, 'Paragraph 12 of &lt;a-long-day&gt;')) {
            throw new \RuntimeException('The page is another: ' . substr($page, 0, 300));
        }
        return $page;
    }

    /** The program that refuses io_uring and limits memory. */
    private function confined(): string
    {
        $program = "{$this->folder->path}/confined";
        Folder::shell('cc -O2 -Wall -o ' . escapeshellarg($program) . ' ' . escapeshellarg(__DIR__ . '/confined.c'));
        return $program;
    }
}
