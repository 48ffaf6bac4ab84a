<?php

declare(strict_types=1);

namespace Stampede\Top;

/** What a server has done between two moments, and what it does at the second one. */
final readonly class Activity
{
    /**
     * @param array<string, float> $rates a second
     * @param array<string, float|null>|null $latency quantiles in milliseconds, null where nothing ended; null: the server does not measure
     */
    private function __construct(public array $rates, public ?array $latency, public Snapshot $now, private float $interval) {}

    public static function between(Snapshot $before, Snapshot $now): self
    {
        $interval = max(0.001, $now->at - $before->at);
        $rates = [];
        foreach (['requests' => 'request_count', 'responses' => 'response_count', 'connections' => 'accept_count', 'bytes_in' => 'total_recv_bytes', 'bytes_out' => 'total_send_bytes'] as $name => $counter) {
            $rates[$name] = max(0, ($now->counters[$counter] ?? 0) - ($before->counters[$counter] ?? 0)) / $interval;
        }
        return new self($rates, self::latency($before, $now), $now, $interval);
    }

    /** @return array<string, float|null>|null */
    private static function latency(Snapshot $before, Snapshot $now): ?array
    {
        if ($now->bounds === []) {
            return null;
        }
        $ended = array_map(static fn (int $count, ?int $former): int => $count - (int) $former, $now->durations, $before->durations);
        return ['p50' => self::quantile(0.5, $now->bounds, $ended), 'p95' => self::quantile(0.95, $now->bounds, $ended), 'p99' => self::quantile(0.99, $now->bounds, $ended)];
    }

    /**
     * As Prometheus has it: evenly spread within a bucket.
     *
     * @param list<float> $bounds
     * @param list<int> $counts
     */
    private static function quantile(float $share, array $bounds, array $counts): ?float
    {
        $wanted = $share * array_sum($counts);
        if ($wanted <= 0) {
            return null;
        }
        $below = 0;
        foreach ($bounds as $i => $bound) {
            if ($counts[$i] > 0 && $below + $counts[$i] >= $wanted) {
                $from = $i > 0 ? $bounds[$i - 1] : 0.0;
                return 1000 * ($from + ($bound - $from) * ($wanted - $below) / $counts[$i]);
            }
            $below += $counts[$i];
        }
        return 1000 * $bounds[count($bounds) - 1];
    }

    /** @return array<string, mixed> for programs */
    public function facts(): array
    {
        return [
            'at' => $this->now->at,
            'interval' => round($this->interval, 3),
            'rates' => array_map(static fn (float $rate): float => round($rate, 2), $this->rates),
            'latency_ms' => $this->latency,
            'in_work' => $this->now->counters['concurrency'] ?? 0,
            'connections' => $this->now->counters['connection_num'] ?? 0,
            'workers' => $this->now->processes,
            'requests' => array_map(static fn (RequestInWork $each): array => $each->facts(), $this->now->requests),
        ];
    }
}
