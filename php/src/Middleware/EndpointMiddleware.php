<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\Endpoint\Endpoints;
use Stampede\Log\FailureLog;
use Swoole\ExitException;
use Throwable;

/** Serves WebSocket and event-stream endpoints. A client of one stays as long as it likes: neither the time limit nor the concurrency of requests counts. */
final readonly class EndpointMiddleware implements RequestHandler
{
    public function __construct(private RequestHandler $next, private Endpoints $endpoints, private FailureLog $failures) {}

    public function handle(Exchange $exchange): void
    {
        $request = $exchange->request;
        if (!$this->endpoints->has($request)) {
            $this->next->handle($exchange);
            return;
        }
        $exchange->status = 500;
        try {
            $exchange->status = $this->endpoints->handle($request, $exchange->response);
        } catch (ExitException) {
            $exchange->status = 200;
        } catch (Throwable $failure) {
            $this->failures->write($request, $failure);
        }
    }
}
