<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Swoole\Http\Request;
use Swoole\Http\Response;

/** An application of one kind: booted once in each worker, then asked for each request. */
interface Runner
{
    /** @throws \Throwable when the application cannot be booted: the worker does not serve then */
    public function boot(): void;

    /** Ends the response, or throws. @return int its status */
    public function handle(Request $request, Response $response): int;

    /** After the response: what the application keeps for one request goes. */
    public function reset(): void;
}
