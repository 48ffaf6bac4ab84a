<?php

declare(strict_types=1);

namespace Stampede\Middleware;

/** In development: refuses requests for a host that may be another site's. */
final readonly class HostFilter implements RequestHandler
{
    public function __construct(private RequestHandler $next, private AllowedHosts $hosts) {}

    public function handle(Exchange $exchange): void
    {
        if ($this->hosts->allows($exchange->request)) {
            $this->next->handle($exchange);
            return;
        }
        $exchange->refuse(403, "In development this server is for localhost alone: start it with --server-name=NAME for another host, or with --env=prod.\n");
    }
}
