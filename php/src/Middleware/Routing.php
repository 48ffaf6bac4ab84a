<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\Application\RouteTable;

/** Finds out which isolation and time limit a request has. */
final readonly class Routing implements RequestHandler
{
    public function __construct(private RequestHandler $next, private RouteTable $routes) {}

    public function handle(Exchange $exchange): void
    {
        $exchange->route = $this->routes->of($exchange->path);
        $this->next->handle($exchange);
    }
}
