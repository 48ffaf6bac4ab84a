<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\DevTools\HtmlErrorRenderer;
use Stampede\Exception\TimeLimitExceeded;
use Stampede\Log\FailureLog;
use Throwable;

/** The response to a request that has failed, and its line in the log. */
final readonly class ErrorResponder
{
    /** @param bool $showsErrors whether the page has the source, the stack and the request */
    public function __construct(private FailureLog $failures, private bool $showsErrors) {}

    public function respond(Throwable $failure, int $status, Exchange $exchange): void
    {
        set_error_handler(null); // the application's may throw, also for what is suppressed here
        $this->failures->write($exchange->request, $failure instanceof TimeLimitExceeded ? trim("{$failure->getMessage()} {$failure->place()}") : $failure);
        $response = $exchange->response;
        if (!$response->isWritable()) {
            return;
        }
        if (!@$response->status($status)) { // a part of a response was sent already: it must not look like the whole
            $response->close();
            return;
        }
        $response->header('Content-Type', 'text/html; charset=utf-8');
        @$response->end($this->showsErrors ? HtmlErrorRenderer::of($failure, $exchange->request) : HtmlErrorRenderer::plain($status, $exchange->request));
    }
}
