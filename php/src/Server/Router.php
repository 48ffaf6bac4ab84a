<?php

declare(strict_types=1);

namespace Stampede\Server;

use Closure;
use Stampede\Application\IsolationMode;
use Stampede\Application\Route;
use Stampede\Application\RouteTable;
use Stampede\Process\ProcessRunner;
use Stampede\Runner\Runner;

use function Stampede\refuse_waiting_requests;

/** How the requests of a worker come to the application: by which bridge, and how many at once. */
final class Router
{
    /** @var array<string, ConcurrencyLimit> by isolation, where not any number of requests is handled at once */
    private array $places = [];

    /**
     * @param Closure(IsolationMode): int|null $places how many requests of an isolation there are at once, 0: any number, where they wait for a place here; else the
     * server sees to it
     */
    public function __construct(
        private readonly ?Runner $own,
        private readonly ?ProcessRunner $processes,
        private readonly RouteTable $routes,
        ?Closure $places,
    ) {
        foreach ($places !== null ? IsolationMode::cases() : [] as $isolation) {
            if ($places($isolation) > 0 && $routes->uses($isolation)) {
                $this->places[$isolation->value] = new ConcurrencyLimit($places($isolation));
            }
        }
    }

    /** The route of every request, when there is one alone and its requests wait for no place here. */
    public function onlyRoute(): ?Route
    {
        $route = $this->routes->only();
        return $route !== null && $this->places($route) === null ? $route : null;
    }

    /** @param string $path however the client has written it */
    public function route(string $path): Route
    {
        return $this->routes->only() ?? $this->routes->of($path);
    }

    public function bridge(Route $route): Runner
    {
        $bridge = $route->isolation === IsolationMode::Process ? $this->processes : $this->own;
        return $bridge ?? throw new \LogicException("no bridge for {$route->pattern}");
    }

    /** Those that wait for a place of the isolation of this route, and all that would. */
    public function refuseWaiting(Route $route): void
    {
        refuse_waiting_requests();
        $this->places($route)?->close();
    }

    /** Null: there is always room. */
    public function places(Route $route): ?ConcurrencyLimit
    {
        return $this->places[$route->isolation->value] ?? null;
    }
}
