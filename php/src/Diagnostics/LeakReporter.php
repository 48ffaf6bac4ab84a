<?php

declare(strict_types=1);

namespace Stampede\Diagnostics;

use function Stampede\object_counts;

/**
 * What requests leave behind in a worker, by route: objects of each class, static properties and variables, globals. A request is
 * measured when it is alone in its worker; what grew in most of the measured requests of a route is named.
 */
final class LeakReporter
{
    private const WARM = 2; // first requests of a route, which load classes and fill caches
    private const MOST_ROUTES = 100;
    private const MOST_NAMED = 10; // of a route
    private const SETTLED = 5; // measured requests of a route, before it is judged
    private const LEFT_OUT = ['Stampede\\', 'Swoole\\', 'Closure', 'Generator', 'WeakMap', 'WeakReference', 'Reflection'];

    /** @var array<string, array{seen: int, measured: int, memory: int, grown: array<string, array{unit: string, times: int, sum: int}>}> by route */
    private array $routes = [];
    private int $active = 0;
    private int $begun = 0;
    private int $requests = 0;

    /** @param int $every so many requests of a worker, one is measured */
    public function __construct(private readonly int $every) {}

    /** @return array{int, int, array<string, array{string, int}>}|null what end() takes: null when this request is not measured */
    public function begin(string $route): ?array
    {
        $this->active++;
        $this->begun++;
        if ($this->active > 1 || !$this->isTurnOf($route)) {
            return null;
        }
        gc_collect_cycles();
        return [$this->begun, memory_get_usage(), self::sizes()];
    }

    /** @param array{int, int, array<string, array{string, int}>}|null $before */
    public function end(string $route, ?array $before): void
    {
        $this->active--;
        if ($before === null || $before[0] !== $this->begun) {
            return; // another one came beside it
        }
        gc_collect_cycles();
        $memory = memory_get_usage() - $before[1];
        $known = &$this->routes[$route];
        $known['measured']++;
        $known['memory'] += $memory;
        foreach (StateSnapshot::more($before[2], self::sizes()) as $name => [$unit, $more]) {
            $grown = $known['grown'][$name] ?? ['unit' => $unit, 'times' => 0, 'sum' => 0];
            $known['grown'][$name] = ['unit' => $unit, 'times' => $grown['times'] + 1, 'sum' => $grown['sum'] + $more];
        }
    }

    /**
     * What grew in most of the measured requests, the most first.
     *
     * @return list<array{route: string, measured: int, bytes: int, grown: array<string, string>}>
     */
    public function report(): array
    {
        $report = [];
        foreach ($this->routes as $route => $known) {
            $grown = array_filter($known['grown'], static fn (array $grown): bool => 2 * $grown['times'] > $known['measured']);
            if ($grown === [] || $known['measured'] < self::SETTLED) {
                continue;
            }
            uasort($grown, static fn (array $a, array $b): int => $b['sum'] <=> $a['sum']);
            $report[] = [
                'route' => $route,
                'measured' => $known['measured'],
                'bytes' => intdiv($known['memory'], $known['measured']),
                'grown' => array_map(
                    static fn (array $grown): string => sprintf('%d more %s', $grown['sum'], $grown['unit']),
                    array_slice($grown, 0, self::MOST_NAMED, true),
                ),
            ];
        }
        return $report;
    }

    /** @return list<string> sentences */
    public function sentences(): array
    {
        $sentences = [];
        foreach ($this->report() as $entry) {
            $grown = array_map(static fn (string $name, string $more): string => "{$name} ({$more})", array_keys($entry['grown']), $entry['grown']);
            $sentences[] = sprintf('%s left %d bytes behind in each of %d measured requests: %s.', $entry['route'], $entry['bytes'], $entry['measured'], implode(', ', $grown));
        }
        return $sentences;
    }

    /** A name for paths that differ in numbers and other keys alone. */
    public static function routeOf(string $method, string $path): string
    {
        $parts = array_map(
            static fn (string $part): string => preg_match('/^(?=.*\d)[\w.-]{12,}$|^\d+$/', $part) === 1 ? '*' : $part,
            explode('/', $path),
        );
        return "{$method} " . substr(implode('/', $parts), 0, 200);
    }

    private function isTurnOf(string $route): bool
    {
        if (!isset($this->routes[$route])) {
            if (count($this->routes) >= self::MOST_ROUTES) {
                return false;
            }
            $this->routes[$route] = ['seen' => 0, 'measured' => 0, 'memory' => 0, 'grown' => []];
        }
        return ++$this->routes[$route]['seen'] > self::WARM && ++$this->requests % $this->every === 0;
    }

    /** @return array<string, array{string, int}> */
    private static function sizes(): array
    {
        $sizes = StateSnapshot::now();
        foreach (object_counts() as $class => $count) {
            if (!self::isLeftOut($class)) {
                $sizes["class {$class}"] = ['instances', $count];
            }
        }
        return $sizes;
    }

    private static function isLeftOut(string $class): bool
    {
        foreach (self::LEFT_OUT as $start) {
            if (str_starts_with($class, $start)) {
                return true;
            }
        }
        return false;
    }
}
