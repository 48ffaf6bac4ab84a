<?php

declare(strict_types=1);

namespace Stampede\Middleware;

/** Tells browsers to use https alone, by a response of an https address. */
final readonly class StrictTransport implements RequestHandler
{
    /** @param string $value of the field */
    public function __construct(private RequestHandler $next, private string $value) {}

    public function handle(Exchange $exchange): void
    {
        if (isset($exchange->request->server['https'])) {
            $exchange->response->header('Strict-Transport-Security', $this->value);
        }
        $this->next->handle($exchange);
    }
}
