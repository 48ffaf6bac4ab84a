<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** What ab measured: keep-alive clients, a number of requests, whatever did not succeed; and how much of a processor ab itself needed, which has one thread. */
final class Ab
{
    private const LIMIT = 1800; // seconds that one run may take

    private function __construct(
        public readonly int $requests,
        public readonly int $failed,
        public readonly float $rate,
        public readonly float $p99_milliseconds,
        public readonly float $cpu_microseconds,
        public readonly float $own_processor,
    ) {
    }

    /**
     * @param list<Program> $programs whose CPU time counts
     * @param string $expected the body of every response; ab itself sees when the length of one differs
     */
    public static function run(array $programs, string $url, int $clients, int $requests, string $expected): self
    {
        self::check($url, $expected);
        $before = self::cpu($programs);
        $own = self::own_cpu();
        $began = microtime(true);
        $command = ['timeout', (string) self::LIMIT, Opponents::command('ab'), '-q', '-k', '-r', '-s', '120', '-c', (string) $clients, '-n', (string) $requests, $url];
        $output = (string) shell_exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1');
        $own = (self::own_cpu() - $own) / (microtime(true) - $began);
        $cpu = (self::cpu($programs) - $before) * 1e6;
        if (preg_match('/^Requests per second:\s+([\d.]+)/m', $output, $rate) !== 1) {
            throw new \RuntimeException("ab $url said: " . substr($output, -1000));
        }
        $failed = self::count($output, 'Failed requests') + self::count($output, 'Non-2xx responses') + max(0, $requests - self::count($output, 'Complete requests'));
        if (preg_match('/^Document Length:\s+(\d+) bytes/m', $output, $length) === 1 && (int) $length[1] !== strlen($expected)) {
            $failed = $requests; // each was as long as the first, which was wrong
        }
        self::check($url, $expected);
        preg_match('/^\s+99%\s+(\d+)/m', $output, $p99);
        return new self($requests, min($failed, $requests), (float) $rate[1], (float) ($p99[1] ?? 0), $cpu / $requests, $own);
    }

    /** @param list<Program> $programs */
    private static function cpu(array $programs): float
    {
        return array_sum(array_map(static fn (Program $program): float => $program->cpu_seconds(), $programs));
    }

    /** CPU seconds of ab itself, which is a child that has ended. */
    private static function own_cpu(): float
    {
        $use = getrusage(1) ?: [];
        return ($use['ru_utime.tv_sec'] ?? 0) + ($use['ru_stime.tv_sec'] ?? 0) + (($use['ru_utime.tv_usec'] ?? 0) + ($use['ru_stime.tv_usec'] ?? 0)) / 1e6;
    }

    private static function count(string $output, string $name): int
    {
        return preg_match('/^' . preg_quote($name, '/') . ':\s+(\d+)/m', $output, $found) === 1 ? (int) $found[1] : 0;
    }

    private static function check(string $url, string $expected): void
    {
        $body = @file_get_contents($url, false, stream_context_create(['http' => ['timeout' => 30, 'ignore_errors' => true]]));
        if ($body !== $expected) {
            throw new \RuntimeException("$url responds \"" . substr((string) $body, 0, 500) . '" instead of "' . substr($expected, 0, 100) . '".');
        }
    }
}
