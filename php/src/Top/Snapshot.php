<?php

declare(strict_types=1);

namespace Stampede\Top;

use Closure;
use Stampede\Supervisor\ServerStateFile;

/** What a server's control socket says at one moment. */
final readonly class Snapshot
{
    /**
     * @param array<string, int> $counters of the server since its start
     * @param list<array<string, mixed>> $processes
     * @param list<RequestInWork> $requests
     * @param list<float> $bounds of durations in seconds; none: the server does not measure
     * @param list<int> $durations requests by the bound that they were within; the last ones were longer
     */
    public function __construct(
        public float $at,
        public array $counters,
        public array $processes,
        public array $requests,
        public array $bounds,
        public array $durations,
    ) {}

    /** @return self|null null: the server does not respond */
    public static function take(ServerStateFile $server): ?self
    {
        return self::of($server->ask(...));
    }

    /** @param Closure(string): (array<string, mixed>|null) $ask a command to the supervisor */
    public static function of(Closure $ask): ?self
    {
        [$stats, $processes, $requests, $latencies] = array_map($ask, ['stats', 'workers', 'requests', 'latencies']);
        if ($stats === null || $processes === null) {
            return null;
        }
        $found = array_merge(...array_map(self::ofWorker(...), $requests['workers'] ?? []));
        return new self(microtime(true), array_filter($stats, is_int(...)), $processes['workers'] ?? [], $found, $latencies['bounds'] ?? [], $latencies['counts'] ?? []);
    }

    /**
     * What the supervisor sees of a worker's requests, and what the worker says of their coroutines, unless it computes.
     *
     * @param array<string, mixed> $worker
     * @return list<RequestInWork>
     */
    private static function ofWorker(array $worker): array
    {
        $coroutines = [];
        foreach ($worker['requests'] ?? [] as $coroutine) {
            $coroutines["{$coroutine['connection']}/{$coroutine['stream']}"] = $coroutine;
        }
        return array_map(
            static fn (array $seen): RequestInWork => RequestInWork::of($worker, $seen, $coroutines["{$seen['connection']}/{$seen['stream']}"] ?? null),
            array_values($worker['in_flight'] ?? []),
        );
    }
}
