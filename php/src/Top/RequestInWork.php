<?php

declare(strict_types=1);

namespace Stampede\Top;

/** A request that has no whole response yet. */
final readonly class RequestInWork
{
    private const BUSY = 20.0; // milliseconds of one iteration of its loop, after which a worker that does not respond computes

    public function __construct(
        public int $worker,
        public int $pid,
        public string $method,
        public string $target,
        public string $route,
        public string $isolation,
        public string $client,
        public float $age, // milliseconds
        public string $state, // computing, waiting, queued (it has not begun), worker computes (this request or another one), or unknown
        public string $waitsFor,
        public float $since, // milliseconds in this state; 0: unknown
        public string $place,
        public int $coroutine, // 0: none yet, or unknown
        public int $connection,
        public int $stream,
    ) {}

    /**
     * @param array<string, mixed> $worker
     * @param array<string, mixed> $seen by the supervisor
     * @param array<string, mixed>|null $told by the worker
     */
    public static function of(array $worker, array $seen, ?array $told): self
    {
        [$method, $target] = explode(' ', $seen['request'], 2) + [1 => ''];
        [$state, $since] = self::state($worker, $told);
        return new self(
            $worker['id'],
            $worker['pid'],
            $method,
            explode('?', $target, 2)[0], // passwords and tokens are sent in queries
            (string) ($told['route'] ?? '-'),
            (string) ($told['isolation'] ?? ''),
            (string) ($seen['client'] ?? ''),
            (float) $seen['age_ms'],
            $state,
            $state === 'waiting' ? (string) ($told['waits_for'] ?? '') : '',
            $since,
            (string) ($told['place'] ?? ''),
            (int) ($told['coroutine'] ?? 0),
            $seen['connection'],
            $seen['stream'],
        );
    }

    /**
     * @param array<string, mixed> $worker
     * @param array<string, mixed>|null $told
     * @return array{string, float}
     */
    private static function state(array $worker, ?array $told): array
    {
        return match (true) {
            $told !== null && $told['state'] === 'running' => ['computing', (float) $worker['busy_ms']],
            $told !== null => ['waiting', (float) ($told['waits_ms'] ?? 0)],
            !isset($worker['error']) => ['queued', 0.0],
            $worker['busy_ms'] > self::BUSY => [count($worker['in_flight']) === 1 ? 'computing' : 'worker computes', (float) $worker['busy_ms']],
            default => ['unknown', 0.0],
        };
    }

    /** @return array<string, mixed> for programs */
    public function facts(): array
    {
        return ['worker' => $this->worker, 'pid' => $this->pid, 'method' => $this->method, 'target' => $this->target, 'route' => $this->route, 'isolation' => $this->isolation, 'client' => $this->client,
            'age_ms' => $this->age, 'state' => $this->state, 'waits_for' => $this->waitsFor, 'state_ms' => $this->since, 'place' => $this->place,
            'coroutine' => $this->coroutine, 'connection' => $this->connection, 'stream' => $this->stream];
    }

    /** Its route where the application has named it, else its target. */
    public function name(): string
    {
        return $this->method . ' ' . ($this->route === '-' || $this->route === '' ? $this->target : $this->route);
    }
}
