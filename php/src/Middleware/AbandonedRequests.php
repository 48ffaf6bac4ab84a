<?php

declare(strict_types=1);

namespace Stampede\Middleware;

/** A request whose client has left while it waited is not handled. */
final readonly class AbandonedRequests implements RequestHandler
{
    public function __construct(private RequestHandler $next) {}

    public function handle(Exchange $exchange): void
    {
        if ($exchange->response->isWritable()) {
            $this->next->handle($exchange);
        }
    }
}
