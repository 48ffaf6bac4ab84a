<?php

declare(strict_types=1);

namespace Stampede\Application;

use Stampede\Config\OptionType;
use Stampede\Config\Suggestion;
use Stampede\Exception\ConfigurationException;

/**
 * Isolation, time limit and largest body of requests by their path. In a pattern "*" stands for one part of a path, "**" at the end for all that
 * follows; the first pattern that fits decides.
 */
final class RouteTable
{
    private const KEYS = ['isolation', 'request-timeout', 'max-body'];
    private const MOST_KNOWN = 1000; // paths whose route is remembered

    /** @var array<string, Route> by regular expression */
    private array $routes = [];
    /** @var array<string, Route> by path */
    private array $known = [];

    private function __construct(public readonly Route $default) {}

    /**
     * @param array<string, mixed> $given by pattern: ['isolation' => ..., 'request-timeout' => seconds]
     * @throws ConfigurationException
     */
    public static function read(array $given, IsolationMode $isolation, float $timeout): self
    {
        $routes = new self(new Route('**', $isolation, $timeout));
        foreach ($given as $pattern => $entry) {
            $pattern = (string) $pattern;
            if (!is_array($entry) || !str_starts_with($pattern, '/') || str_contains(substr($pattern, 0, -2), '**')) {
                throw new ConfigurationException("The option \"routes\": \"{$pattern}\" must be a path such as /reports/* or /live/**, with an array such as ['request-timeout' => 300].");
            }
            foreach (array_keys($entry) as $key) {
                if (!in_array(strtr((string) $key, '_', '-'), self::KEYS, true)) {
                    throw new ConfigurationException("The option \"routes\": \"{$pattern}\" has the unknown key \"{$key}\"" . Suggestion::for((string) $key, self::KEYS) . '.');
                }
            }
            $routes->routes[self::expression($pattern)] = new Route(
                $pattern,
                isset($entry['isolation']) ? self::isolation($pattern, $entry['isolation']) : $isolation,
                OptionType::Seconds->read("routes {$pattern} request-timeout", $entry['request-timeout'] ?? $entry['request_timeout'] ?? $timeout),
                ($size = $entry['max-body'] ?? $entry['max_body'] ?? null) === null ? null : OptionType::Size->read("routes {$pattern} max-body", $size),
            );
        }
        return $routes;
    }

    /** The route of every request, when there is one alone. */
    public function only(): ?Route
    {
        return $this->routes === [] ? $this->default : null;
    }

    public function of(string $path): Route
    {
        return $this->known[$path] ?? $this->find($path);
    }

    /** Whether some requests have this isolation. */
    public function uses(IsolationMode $isolation): bool
    {
        return in_array($isolation, $this->isolations(), true);
    }

    /** @return list<IsolationMode> that some requests have */
    public function isolations(): array
    {
        return array_values(array_unique(array_map(static fn (Route $route): IsolationMode => $route->isolation, [$this->default, ...array_values($this->routes)]), SORT_REGULAR));
    }

    /** Whether all requests have the same isolation. */
    public function isUniform(): bool
    {
        return array_filter($this->routes, fn (Route $route): bool => $route->isolation !== $this->default->isolation) === [];
    }

    /** The largest body that a request may have. @param int $usual of routes that say nothing */
    public function largestBody(int $usual): int
    {
        return max([$usual, ...array_map(static fn (Route $route): int => $route->maxBody ?? $usual, array_values($this->routes))]);
    }

    /** @return list<string> as the setting body_limits has them; empty: there are none */
    public function bodyLimits(int $usual): array
    {
        $limited = array_filter($this->routes, static fn (Route $route): bool => $route->maxBody !== null);
        return $limited === [] ? [] : array_map(static fn (Route $route): string => "{$route->pattern} " . ($route->maxBody ?? $usual), array_values($this->routes));
    }

    /** The longest time that a request may take, 0 when there is one without a limit. */
    public function longest(): float
    {
        $times = array_map(static fn (Route $route): float => $route->timeout, [$this->default, ...array_values($this->routes)]);
        return min($times) <= 0.0 ? 0.0 : max($times);
    }

    private function find(string $path): Route
    {
        $found = $this->default;
        foreach ($this->routes as $expression => $route) {
            if (preg_match($expression, $path) === 1) {
                $found = $route;
                break;
            }
        }
        if (count($this->known) >= self::MOST_KNOWN) {
            $this->known = [];
        }
        return $this->known[$path] = $found;
    }

    private static function expression(string $pattern): string
    {
        $rest = str_ends_with($pattern, '/**') ? '(?:/.*)?' : (str_ends_with($pattern, '**') ? '.*' : '');
        $fixed = $rest === '' ? $pattern : substr($pattern, 0, $rest === '.*' ? -2 : -3);
        return '~^' . str_replace('\*', '[^/]*', preg_quote($fixed, '~')) . $rest . '$~Ds';
    }

    private static function isolation(string $pattern, mixed $value): IsolationMode
    {
        $names = array_column(IsolationMode::cases(), 'value');
        return is_string($value) && in_array($value, $names, true) ? IsolationMode::from($value) : throw new ConfigurationException(sprintf(
            'The option "routes": "%s": isolation must be one of %s, not %s%s.',
            $pattern,
            implode(', ', $names),
            json_encode($value),
            is_string($value) ? Suggestion::for($value, $names) : '',
        ));
    }
}
