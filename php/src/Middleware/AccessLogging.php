<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\Log\AccessLog;

/** Notes each request that the application handles. One whose client has left while it waited is not handled. */
final readonly class AccessLogging implements RequestHandler
{
    public function __construct(private RequestHandler $next, private AccessLog $log) {}

    public function handle(Exchange $exchange): void
    {
        if (!$exchange->response->isWritable()) {
            return;
        }
        $began = hrtime(true);
        $this->next->handle($exchange);
        $this->log->write($exchange->request, $exchange->status, hrtime(true) - $began);
    }
}
