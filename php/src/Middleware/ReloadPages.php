<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\DevTools\ReloadNotifier;
use Stampede\DevTools\ScriptInjectingResponse;

use function Stampede\leave_unlogged;

/** In development: pages of the application load a script that reloads them when there is new code. */
final readonly class ReloadPages implements RequestHandler
{
    public function __construct(private RequestHandler $next, private ReloadNotifier $notifier) {}

    public function handle(Exchange $exchange): void
    {
        if ($this->notifier->has($exchange->path)) {
            leave_unlogged($exchange->response);
            $this->notifier->handle($exchange->path, $exchange->response);
            return;
        }
        $exchange->response = new ScriptInjectingResponse($exchange->response, $this->notifier->revision());
        $this->next->handle($exchange);
    }
}
