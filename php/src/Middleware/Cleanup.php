<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\Log\FailureLog;
use Swoole\ExitException;
use Throwable;

/** After the response: what is left of the request goes. Its destructors may do anything, so their time is that of the request. */
final readonly class Cleanup implements RequestHandler
{
    public function __construct(private RequestHandler $next, private Router $router, private GarbagePolicy $garbage, private FailureLog $failures) {}

    public function handle(Exchange $exchange): void
    {
        try {
            $this->next->handle($exchange);
        } finally {
            $this->cleanUp($exchange);
        }
    }

    private function cleanUp(Exchange $exchange): void
    {
        try {
            $this->router->runner($exchange->route)->reset();
            $this->garbage->collect();
        } catch (ExitException) {
            // of a destructor
        } catch (Throwable $failure) {
            if (!$exchange->isOverdue()) { // else it is in the log
                $this->failures->write($exchange->request, $failure);
            }
        }
    }
}
