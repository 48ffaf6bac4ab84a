<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\Log\FailureLog;

/** Gives the application cookies and forms as PHP's web servers do. */
final readonly class InputFilter implements RequestHandler
{
    public function __construct(private RequestHandler $next, private FailureLog $failures) {}

    public function handle(Exchange $exchange): void
    {
        $request = $exchange->request;
        Cookies::read($request);
        if ($request->server['request_method'] === 'POST' && ($excess = PostLimit::apply($request)) !== '') {
            $this->failures->write($request, $excess);
        }
        $this->next->handle($exchange);
    }
}
