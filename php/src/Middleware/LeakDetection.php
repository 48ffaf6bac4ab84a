<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\Diagnostics\LeakReporter;

/** Measures what some requests leave behind. */
final readonly class LeakDetection implements RequestHandler
{
    public function __construct(private RequestHandler $next, private LeakReporter $reporter) {}

    public function handle(Exchange $exchange): void
    {
        $name = LeakReporter::routeOf($exchange->request->server['request_method'], $exchange->request->server['request_uri']);
        $before = $this->reporter->begin($name);
        try {
            $this->next->handle($exchange);
        } finally {
            $this->reporter->end($name, $before);
        }
    }
}
