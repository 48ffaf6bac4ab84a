<?php

declare(strict_types=1);

namespace Stampede\Middleware;

/**
 * What handles the requests of a worker: each middleware does its part and passes the request on to the next one, the innermost gives it to the application.
 * Server\WorkerKernelFactory puts them together, those alone that the options ask for. A fatal error ends a request in the middle: no finally block runs then.
 */
interface RequestHandler
{
    public function handle(Exchange $exchange): void;
}
