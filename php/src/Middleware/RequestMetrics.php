<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use function Stampede\describe_request;

/** Tells the metrics which route and isolation a request has, and that it waits no longer. */
final readonly class RequestMetrics implements RequestHandler
{
    /** @param bool $namesRoutes whether the routes of the configuration tell requests apart */
    public function __construct(private RequestHandler $next, private bool $namesRoutes) {}

    public function handle(Exchange $exchange): void
    {
        describe_request($exchange->original, $this->namesRoutes ? $exchange->route->pattern : '', $exchange->route->isolation->value);
        $this->next->handle($exchange);
    }
}
