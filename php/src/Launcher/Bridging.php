<?php

declare(strict_types=1);

namespace Stampede\Launcher;

use Closure;
use Stampede\Bridge\Bridge;
use Stampede\Process\ProcessRunner;

use function Stampede\refuse_waiting_requests;

/** How the requests of a worker come to the application: by which bridge, and how many at once. */
final class Bridging
{
    /** @var array<string, Places> by isolation, where not any number of requests is handled at once */
    private array $places = [];

    /**
     * @param Closure(Isolation): int|null $places how many requests of an isolation there are at once, 0: any number, where they wait for a place here; else the
     * server sees to it
     */
    public function __construct(
        private readonly ?Bridge $own,
        private readonly ?ProcessRunner $processes,
        private readonly Routes $routes,
        ?Closure $places,
    ) {
        foreach ($places !== null ? Isolation::cases() : [] as $isolation) {
            if ($places($isolation) > 0 && $routes->uses($isolation)) {
                $this->places[$isolation->value] = new Places($places($isolation));
            }
        }
    }

    /** The route of every request, when there is one alone and its requests wait for no place here. */
    public function onlyRoute(): ?Route
    {
        $route = $this->routes->only();
        return $route !== null && $this->places($route) === null ? $route : null;
    }

    public function hasSeveralRoutes(): bool
    {
        return $this->routes->only() === null;
    }

    /** @param string $path however the client has written it */
    public function route(string $path): Route
    {
        return $this->routes->only() ?? $this->routes->of($path);
    }

    public function bridge(Route $route): Bridge
    {
        $bridge = $route->isolation === Isolation::Process ? $this->processes : $this->own;
        return $bridge ?? throw new \LogicException("no bridge for {$route->pattern}");
    }

    /** Those that wait for a place of the isolation of this route, and all that would. */
    public function refuseWaiting(Route $route): void
    {
        refuse_waiting_requests();
        $this->places($route)?->close();
    }

    /** Null: there is always room. */
    public function places(Route $route): ?Places
    {
        return $this->places[$route->isolation->value] ?? null;
    }
}
