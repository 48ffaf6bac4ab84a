<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\Log\FailureLog;
use Stampede\Request\RequestEnd;
use Stampede\Request\RequestLifecycle;

use function Stampede\record_request;

/** Tells those who observe requests of their begin and end. Around everything that may decide the status. */
final readonly class Lifecycle implements RequestHandler
{
    /** @param bool $showsTiming whether responses have a field Server-Timing */
    public function __construct(private RequestHandler $next, private FailureLog $failures, private bool $showsTiming) {}

    public function handle(Exchange $exchange): void
    {
        if (!$this->showsTiming && !RequestLifecycle::isObserved()) {
            $this->next->handle($exchange);
            return;
        }
        record_request($exchange->original, $this->showsTiming);
        $this->failures->watch($exchange->request);
        $ends = RequestLifecycle::begin($exchange->request, $exchange->response);
        try {
            $this->next->handle($exchange);
        } finally {
            RequestLifecycle::end($ends, RequestEnd::ofPresent($exchange->status, $this->failures->takeException($exchange->request)));
        }
    }
}
