<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\Application\IsolationMode;
use Stampede\Exception\TimeLimitExceeded;
use Stampede\Log\Logger;

/** Ends a request with 504 when its time is over. Where its code goes on, the worker is replaced. */
final readonly class Timeout implements RequestHandler
{
    public function __construct(
        private RequestHandler $next,
        private ErrorResponder $errors,
        private ConcurrencyLimits $limits,
        private WorkerReplacement $replacement,
        private Logger $logger,
    ) {}

    public function handle(Exchange $exchange): void
    {
        $seconds = $exchange->route->timeout;
        if ($seconds <= 0) {
            $this->next->handle($exchange);
            return;
        }
        $limit = $exchange->limit = new TimeLimit(
            $seconds,
            fn (TimeLimitExceeded $exceeded) => $this->errors->respond($exceeded, 504, $exchange),
            fn () => $this->giveUp($exchange),
        );
        try {
            $this->next->handle($exchange);
        } finally {
            $limit->lift();
            $exchange->limit = null; // which knows the exchange: each request would leave a cycle for PHP's collector
        }
        if ($limit->isOver()) {
            $exchange->status = 504;
        }
    }

    /** It holds a slot of this worker, which is replaced; the others here come to their end. */
    private function giveUp(Exchange $exchange): void
    {
        $server = $exchange->request->server;
        $this->logger->error("{$server['request_method']} {$server['request_uri']}: goes on although its time was over two seconds ago; the worker is replaced.");
        if ($exchange->route->isolation === IsolationMode::Sequential) {
            $this->limits->refuseWaiting(IsolationMode::Sequential);
        }
        $this->replacement->request();
    }
}
