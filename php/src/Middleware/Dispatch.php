<?php

declare(strict_types=1);

namespace Stampede\Middleware;

/** The innermost handler: gives the request to the application. */
final readonly class Dispatch implements RequestHandler
{
    public function __construct(private Router $router) {}

    public function handle(Exchange $exchange): void
    {
        $exchange->status = $this->router->runner($exchange->route)->handle($exchange->request, $exchange->response);
    }
}
