<?php

declare(strict_types=1);

namespace Stampede\Metrics;

use Closure;
use Swoole\Http\Request;
use Swoole\Http\Response;

use function Stampede\metrics_text;

/** What Prometheus and its likes are told: the server's own numbers, those of the application, and what the supervisor looks up for them. */
final readonly class Page
{
    private const OPEN_METRICS = 'application/openmetrics-text';
    private const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';

    /** @param Closure(): list<array<string, mixed>> $certificates as Tls\Certificates::facts() tells of them */
    public function __construct(private Closure $certificates) {}

    public function respond(Request $request, Response $response): void
    {
        $isOpenMetrics = self::wantsOpenMetrics((string) ($request->header['accept'] ?? ''));
        $text = metrics_text($isOpenMetrics, self::ofCertificates(($this->certificates)()) + self::ofOpcache());
        if ($text === null) {
            $response->status(503);
            $response->end("The server counts nothing now.\n");
            return;
        }
        $response->header('Content-Type', $isOpenMetrics ? self::OPEN_METRICS . '; version=1.0.0; charset=utf-8' : self::PROMETHEUS);
        $response->end($text);
    }

    /** The format that the client likes as much as any other one; programs that name none get that of Prometheus. */
    private static function wantsOpenMetrics(string $accept): bool
    {
        $liked = ['open' => 0.0, 'plain' => 0.0];
        foreach (explode(',', strtolower($accept)) as $range) {
            $words = array_map(trim(...), explode(';', $range));
            $parameters = [];
            foreach (array_slice($words, 1) as $word) {
                [$name, $value] = explode('=', $word, 2) + [1 => ''];
                $parameters[trim($name)] = trim($value, " \"");
            }
            $quality = is_numeric($parameters['q'] ?? '1') ? (float) ($parameters['q'] ?? 1) : 0.0;
            if ($words[0] === self::OPEN_METRICS && in_array($parameters['version'] ?? '1.0.0', ['1.0.0', '0.0.1'], true)) {
                $liked['open'] = max($liked['open'], $quality);
            } elseif (in_array($words[0], ['text/plain', 'text/*', '*/*'], true)) {
                $liked['plain'] = max($liked['plain'], $quality);
            }
        }
        return $liked['open'] > 0.0 && $liked['open'] >= $liked['plain'];
    }

    /**
     * @param list<array<string, mixed>> $certificates
     * @return array<string, list<array{list<string>, int|float}>>
     */
    private static function ofCertificates(array $certificates): array
    {
        $ends = [];
        foreach ($certificates as $each) {
            $names = implode(' ', $each['names']);
            $ends[$names] = min((int) $each['valid_until'], $ends[$names] ?? PHP_INT_MAX); // two for the same names would be one sample twice
        }
        $samples = array_map(static fn (string $names, int $end): array => [[$names], $end], array_map(strval(...), array_keys($ends)), array_values($ends));
        return $samples === [] ? [] : ['stampede_certificate_expiry_timestamp_seconds' => $samples];
    }

    /**
     * The memory that the workers share with this process; programs of the isolation process have one of their own.
     *
     * @return array<string, list<array{list<string>, mixed}>>
     */
    private static function ofOpcache(): array
    {
        $status = function_exists('opcache_get_status') ? @opcache_get_status(false) : false;
        if (!is_array($status)) {
            return [];
        }
        ['memory_usage' => $memory, 'opcache_statistics' => $counts] = $status;
        return [
            'stampede_opcache_memory_bytes' => [[['used'], $memory['used_memory']], [['free'], $memory['free_memory']], [['wasted'], $memory['wasted_memory']]],
            'stampede_opcache_cached_scripts' => [[[], $counts['num_cached_scripts']]],
            'stampede_opcache_hits' => [[[], $counts['hits']]],
            'stampede_opcache_misses' => [[[], $counts['misses']]],
            'stampede_opcache_restarts' => [[['memory'], $counts['oom_restarts']], [['hash'], $counts['hash_restarts']], [['manual'], $counts['manual_restarts']]],
        ];
    }
}
