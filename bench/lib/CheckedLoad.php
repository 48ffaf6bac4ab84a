<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** What bench/lib/load.c measured: requests whose every response was compared with what it must be, and how long each lasted. */
final class CheckedLoad
{
    private static string $program = '';

    /**
     * @param int $requests whose responses came in time
     * @param int $late responses to what was sent in time that came later
     * @param array<int|string, float> $percentiles "50" to "99.99": microseconds
     * @param list<array{float, int}> $histogram upper end in microseconds, responses
     */
    private function __construct(
        public readonly int $requests,
        public readonly int $late,
        public readonly float $seconds,
        public readonly int $wrong,
        public readonly int $failed,
        public readonly float $cpu_microseconds,
        public readonly array $percentiles,
        public readonly array $histogram,
        public readonly float $mean,
        public readonly string $sample,
    ) {
    }

    /**
     * @param list<Program> $programs whose CPU time counts
     * @param float $rate requests a second that are due at fixed moments; 0: as many as there are responses
     */
    public static function run(array $programs, int $port, int $connections, float $seconds, Requests $requests, float $rate = 0): self
    {
        $script = (string) tempnam(sys_get_temp_dir(), 'stampede-bench-');
        file_put_contents($script, $requests->script());
        $before = self::cpu($programs);
        $command = ['timeout', (string) (int) ($seconds + 120), self::program(), (string) $port, (string) $connections, (string) $seconds, (string) $rate, $script];
        $output = (string) shell_exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1');
        $cpu = (self::cpu($programs) - $before) * 1e6;
        unlink($script);
        $data = json_decode($output, true);
        if (!is_array($data)) {
            throw new \RuntimeException("The load on port $port said: " . substr($output, -1000));
        }
        return new self($data['requests'], $data['late'], $seconds, $data['wrong'], $data['failed'], $cpu / max(1, $data['requests'] + $data['late']), $data['percentiles'], $data['histogram'], $data['mean'], $data['sample']);
    }

    /** Right responses a second. */
    public function rate(): float
    {
        return max(0, $this->requests - $this->wrong) / $this->seconds;
    }

    public function bad(): int
    {
        return $this->wrong + $this->failed;
    }

    /**
     * The one with the median of the 99th percentiles.
     *
     * @param non-empty-list<self> $loads
     */
    public static function middle(array $loads): self
    {
        usort($loads, static fn (self $a, self $b): int => $a->percentiles['99'] <=> $b->percentiles['99']);
        return $loads[intdiv(count($loads), 2)];
    }

    /**
     * Shares of the requests, in percent, by latency: a step for each tenth of a power of ten.
     *
     * @return list<array{float, float}>
     */
    public function shares(): array
    {
        $steps = [];
        foreach ($this->histogram as [$upper, $responses]) {
            $step = (int) ceil(log10(max(1.0, $upper)) * 10);
            $steps[$step] = ($steps[$step] ?? 0) + $responses * 100 / max(1, $this->requests);
        }
        $shares = [];
        $ends = array_keys($steps) ?: [0];
        for ($step = min($ends) - 1; $step <= max($ends) + 1; $step++) {
            $shares[] = [10 ** (($step - 1) / 10) / 1000, $steps[$step] ?? 0.0];
        }
        return $shares;
    }

    /** @param list<Program> $programs */
    private static function cpu(array $programs): float
    {
        return array_sum(array_map(static fn (Program $program): float => $program->cpu_seconds(), $programs));
    }

    private static function program(): string
    {
        if (self::$program === '') {
            $root = dirname(__DIR__, 2);
            $program = "$root/build/bench/load";
            if (!is_file($program) || filemtime($program) < filemtime(__DIR__ . '/load.c')) {
                is_dir(dirname($program)) || mkdir(dirname($program), 0755, true);
                Folder::shell('cc -O2 -Wall -o ' . escapeshellarg($program) . ' ' . escapeshellarg(__DIR__ . '/load.c'));
            }
            self::$program = $program;
        }
        return self::$program;
    }
}
