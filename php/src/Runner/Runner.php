<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** Hands requests to an application of one kind: booted once for each generation of workers, then asked for each request. */
interface Runner
{
    /** Bytes of a C stack, as a process of a web server usually has them: applications nest callbacks and free lists that need more than a coroutine has by itself. */
    public const C_STACK = 8 << 20;

    /** @throws \Throwable when the application cannot be booted: no worker serves then */
    public function boot(): void;

    /** Ends the response, or throws. @return int its status */
    public function handle(Request $request, Response $response): int;

    /** After the response: what the application keeps for one request goes. */
    public function reset(): void;

    /** From now on a request for the path runs the framework alone, without code of the application. @return string|null the path; null where that cannot be had */
    public function beginFrameworkOnly(): ?string;

    public function endFrameworkOnly(): void;

    /** Does now what would be the first thing of the next request, in a process whose copies handle one request each. */
    public function prepareNextRequest(): void;

    /** The function is called first when a request ends, also after a fatal error, where requests have shutdown functions of their own. */
    public function atShutdown(Closure $function): void;
}
