<?php

declare(strict_types=1);

namespace Stampede\Tests\Middleware;

use Closure;
use Stampede\Middleware\Exchange;
use Stampede\Middleware\RequestHandler;

/** What a middleware passes requests on to. */
final class CallbackHandler implements RequestHandler
{
    public int $calls = 0;

    /** @param (Closure(Exchange): mixed)|null $callback */
    public function __construct(private readonly ?Closure $callback = null) {}

    public function handle(Exchange $exchange): void
    {
        $this->calls++;
        $this->callback?->__invoke($exchange);
    }
}
