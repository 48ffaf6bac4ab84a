<?php

declare(strict_types=1);

namespace Stampede\Dashboard;

use function Stampede\metrics_text;

/** Of the metrics, what the page shows: sums since the start of the server. */
final readonly class Numbers
{
    private const MOST_ROUTES = 200;

    /**
     * @param array<string, float> $statuses requests by the class of their status
     * @param array<string, array{count: float, seconds: float}> $routes
     * @param array<string, float> $others by the name of the metric
     */
    private function __construct(public array $statuses, public array $routes, public array $others) {}

    public static function now(): self
    {
        return self::of((string) metrics_text(false, []));
    }

    public static function of(string $text): self
    {
        [$statuses, $routes, $others] = [[], [], []];
        preg_match_all('/^stampede_(http_requests_total|http_request_duration_seconds_(?:count|sum)|http_refusals_total|growth_findings|worker_ends(?:_total)?|blocking_calls_total)(?:\{(.*)\})? (\S+)$/m', $text, $lines, PREG_SET_ORDER);
        foreach ($lines as [, $name, $labels, $value]) {
            match (true) {
                $name === 'http_requests_total' => $statuses[self::label($labels, 'status')] = ($statuses[self::label($labels, 'status')] ?? 0.0) + (float) $value,
                str_ends_with($name, '_count') => $routes[self::label($labels, 'route')]['count'] = (float) $value,
                str_ends_with($name, '_sum') => $routes[self::label($labels, 'route')]['seconds'] = (float) $value,
                str_starts_with($name, 'worker_ends') && self::label($labels, 'reason') !== 'signal' => null,
                default => $others[$name] = ($others[$name] ?? 0.0) + (float) $value,
            };
        }
        $routes = array_map(static fn (array $route): array => $route + ['count' => 0.0, 'seconds' => 0.0], $routes);
        uasort($routes, static fn (array $a, array $b): int => $b['count'] <=> $a['count']);
        return new self($statuses, array_slice($routes, 0, self::MOST_ROUTES, true), $others);
    }

    private static function label(string $labels, string $name): string
    {
        return preg_match('/(?:^|,)' . $name . '="((?:[^"\\\\]|\\\\.)*)"/', $labels, $found) === 1 ? strtr($found[1], ['\\\\' => '\\', '\\"' => '"', '\\n' => "\n"]) : '';
    }
}
