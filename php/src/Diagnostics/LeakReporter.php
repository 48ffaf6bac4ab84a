<?php

declare(strict_types=1);

namespace Stampede\Diagnostics;

use function Stampede\growth_findings;
use function Stampede\heap_paths;
use function Stampede\heap_sizes;
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
    private const INSTANCES = 'class ';
    private const PASSING = '/^(coroutine \d|an object of )/'; // paths that begin at what is there for one request, or is named by nothing
    private const LEFT_OUT = ['Stampede\\', 'Swoole\\', 'Closure', 'Generator', 'WeakMap', 'WeakReference', 'Reflection'];

    /** @var array<string, array{seen: int, measured: int, memory: int, grown: array<string, array{unit: string, times: int, sum: int, path: string}>}> by route */
    private array $routes = [];
    private int $active = 0;
    private int $begun = 0;
    private int $requests = 0;

    /**
     * @param int $every so many requests of a worker, one is measured
     * @param float|null $pause seconds that each look at the whole heap may take; null: only what is named by statics and globals is looked at
     */
    public function __construct(private readonly int $every, private readonly ?float $pause = null) {}

    /** @return array{int, int, array<string, array{string, int}>}|null what end() takes: null when this request is not measured */
    public function begin(string $route): ?array
    {
        $this->active++;
        $this->begun++;
        if ($this->active > 1 || !$this->isTurnOf($route)) {
            return null;
        }
        gc_collect_cycles();
        $sizes = $this->sizes(); // first: they take memory, too, until the request has ended
        return [$this->begun, memory_get_usage(), $sizes];
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
        foreach (StateSnapshot::more($before[2], $this->sizes()) as $name => [$unit, $more]) {
            if (self::isDeep($name) && !isset($before[2][$name])) {
                continue; // its path may be another one than before
            }
            $grown = $known['grown'][$name] ?? ['unit' => $unit, 'times' => 0, 'sum' => 0, 'path' => ''];
            $known['grown'][$name] = ['times' => $grown['times'] + 1, 'sum' => $grown['sum'] + $more] + $grown;
        }
        $this->notePaths($known['grown']);
        growth_findings(array_sum(array_map(static fn (array $route): int => count($route['grown']), $this->findings())));
    }

    public function measured(): int
    {
        return array_sum(array_column($this->routes, 'measured'));
    }

    /**
     * What grew in most of the measured requests, the most first.
     *
     * @return list<array{route: string, measured: int, bytes: int, grown: array<string, array{unit: string, times: int, sum: int, path: string}>}>
     */
    public function findings(): array
    {
        $findings = [];
        foreach ($this->routes as $route => $known) {
            $grown = array_filter($known['grown'], static fn (array $grown): bool => 2 * $grown['times'] > $known['measured']);
            if ($grown === [] || $known['measured'] < self::SETTLED) {
                continue;
            }
            uasort($grown, static fn (array $a, array $b): int => $b['sum'] <=> $a['sum']);
            $findings[] = ['route' => $route, 'measured' => $known['measured'], 'bytes' => intdiv($known['memory'], $known['measured']), 'grown' => array_slice($grown, 0, self::MOST_NAMED, true)];
        }
        return $findings;
    }

    /**
     * The same for programs, with the path by which instances of a class are held.
     *
     * @return list<array{route: string, measured: int, bytes: int, grown: list<array{name: string, unit: string, each: float, path: string}>}>
     */
    public function report(): array
    {
        return array_map(static fn (array $route): array => ['grown' => array_map(static fn (string $name, array $grown): array => [
            'name' => $name,
            'unit' => $grown['unit'],
            'each' => round($grown['sum'] / $route['measured'], 2),
            'path' => self::isClass($name) ? $grown['path'] : $name,
        ], array_keys($route['grown']), $route['grown'])] + $route, $this->findings());
    }

    /**
     * By what path the newest instance of each class is held: that of the request which has just ended, once for each class.
     *
     * @param array<string, array{unit: string, times: int, sum: int, path: string}> $grown
     */
    private function notePaths(array &$grown): void
    {
        $unknown = array_filter($grown, static fn (array $each, string $name): bool => $each['path'] === '' && self::isClass($name), ARRAY_FILTER_USE_BOTH);
        if ($this->pause === null || $unknown === []) {
            return;
        }
        $classes = array_map(static fn (string $name): string => substr($name, strlen(self::INSTANCES)), array_keys($unknown));
        foreach (heap_paths($classes, $this->pause) as $class => $path) {
            $name = self::INSTANCES . $class;
            if (isset($unknown[$name])) {
                $grown[$name] = ['path' => $path] + $unknown[$name];
            }
        }
    }

    private static function isClass(string $name): bool
    {
        return str_starts_with($name, self::INSTANCES);
    }

    /** @return list<string> sentences */
    public function sentences(): array
    {
        $sentences = [];
        foreach ($this->findings() as $entry) {
            $grown = array_map(static fn (string $name, array $more): string => "{$name} ({$more['sum']} more {$more['unit']})", array_keys($entry['grown']), $entry['grown']);
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
    private function sizes(): array
    {
        $sizes = StateSnapshot::now();
        $held = $this->pause === null ? null : heap_sizes($this->pause);
        $held ??= self::instances();
        foreach ($held as $name => $size) {
            if (self::isClass($name) ? !self::isLeftOut(substr($name, strlen(self::INSTANCES))) : self::isDeep($name) && preg_match(self::PASSING, $name) !== 1) {
                $sizes[$name] = $size;
            }
        }
        return $sizes;
    }

    /** @return array<string, array{string, int}> */
    private static function instances(): array
    {
        $sizes = [];
        foreach (object_counts() as $class => $count) {
            $sizes[self::INSTANCES . $class] = ['instances', $count];
        }
        return $sizes;
    }

    /** A path below what StateSnapshot tells of. */
    private static function isDeep(string $name): bool
    {
        return !self::isClass($name) && preg_match('/->|\[|\{| uses /', $name) === 1;
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
