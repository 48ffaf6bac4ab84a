<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use Closure;
use Stampede\Log\FailureLog;
use Stampede\Log\Logger;
use Stampede\Request\RequestEnd;
use Swoole\Http\Request;

/** A line for each request that took longer than a limit: where its time went. An observer of requests. */
final readonly class SlowRequests
{
    /** @param float $limit seconds */
    public function __construct(private float $limit, private Logger $logger) {}

    public function __invoke(Request $request): Closure
    {
        return function (RequestEnd $end) use ($request): void {
            if ($end->duration + $end->queue >= $this->limit) {
                $this->write($request, $end);
            }
        };
    }

    private function write(Request $request, RequestEnd $end): void
    {
        $waits = $end->waits;
        uasort($waits, static fn (array $a, array $b): int => $b['seconds'] <=> $a['seconds']);
        $parts = [];
        foreach ($waits as $kind => $wait) {
            $parts[] = sprintf('%s %s (%d)', $kind, self::milliseconds($wait['seconds']), $wait['count']);
        }
        $text = sprintf(
            'Slow request: %s %s%s, status %d, took %s: queue %s, CPU %s, other requests\' CPU %s%s.',
            $request->server['request_method'],
            $request->server['request_uri'],
            $end->route === '' ? '' : " ({$end->route})",
            $end->status,
            self::milliseconds($end->duration + $end->queue),
            self::milliseconds($end->queue),
            self::milliseconds($end->cpu),
            self::milliseconds($end->othersCpu),
            $parts === [] ? '' : ', waits: ' . implode(', ', $parts),
        );
        $this->logger->warning($text, FailureLog::facts($request) + self::facts($request, $end, $waits));
    }

    /**
     * @param array<string, array{count: int, seconds: float}> $waits
     * @return array<string, mixed>
     */
    private static function facts(Request $request, RequestEnd $end, array $waits): array
    {
        return ['slow_request' => [
            'method' => $request->server['request_method'],
            'path' => $request->server['request_uri'],
            'route' => $end->route,
            'status' => $end->status,
            'ms' => self::number($end->duration + $end->queue),
            'queue_ms' => self::number($end->queue),
            'cpu_ms' => self::number($end->cpu),
            'others_cpu_ms' => self::number($end->othersCpu),
            'waits' => (object) array_map(static fn (array $wait): array => ['count' => $wait['count'], 'ms' => self::number($wait['seconds'])], $waits),
        ]];
    }

    private static function milliseconds(float $seconds): string
    {
        return round($seconds * 1000, $seconds < 0.01 ? 2 : 0) . ' ms';
    }

    private static function number(float $seconds): float
    {
        return round($seconds * 1000, 3);
    }
}
