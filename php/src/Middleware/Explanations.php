<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\Application\IsolationMode;
use Stampede\Diagnostics\MissingFileNotice;
use Stampede\Log\FailureLog;

/** Says in the log what a status alone does not: why a file that is there was not sent, and that the application has not told why it failed. */
final readonly class Explanations implements RequestHandler
{
    public function __construct(private RequestHandler $next, private MissingFileNotice $missing, private FailureLog $failures) {}

    public function handle(Exchange $exchange): void
    {
        $this->next->handle($exchange);
        if ($exchange->status === 404) {
            $this->missing->note($exchange->request);
        } elseif ($exchange->status === 500 && $exchange->route->isolation !== IsolationMode::Process) { // whose processes write the log themselves
            $this->failures->demandReason($exchange->request);
        }
    }
}
