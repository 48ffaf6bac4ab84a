<?php

declare(strict_types=1);

namespace Stampede\Middleware;

/** Has a request wait until its isolation lets one more be handled at once, where the server itself does not count. */
final readonly class Concurrency implements RequestHandler
{
    public function __construct(private RequestHandler $next, private ConcurrencyLimits $limits) {}

    public function handle(Exchange $exchange): void
    {
        $limit = $this->limits->of($exchange->route->isolation);
        if ($limit?->acquire() === false) { // the request that holds the slot keeps it
            $exchange->response->status(503);
            $exchange->response->header('Retry-After', '1');
            $exchange->response->end();
            return;
        }
        try {
            $this->next->handle($exchange);
        } finally {
            $limit?->release();
        }
    }
}
