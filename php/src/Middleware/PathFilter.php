<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\Application\RequestPath;

/** Refuses a path that leads above the root, which no rule of a proxy by paths was meant for. */
final readonly class PathFilter implements RequestHandler
{
    public function __construct(private RequestHandler $next) {}

    public function handle(Exchange $exchange): void
    {
        $path = RequestPath::of($exchange->request->server['path_info'] ?? '/');
        if ($path === null) {
            $exchange->refuse(400, "This is no path of a page.\n");
            return;
        }
        $exchange->path = $path;
        $this->next->handle($exchange);
    }
}
