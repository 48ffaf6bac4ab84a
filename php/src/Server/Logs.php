<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Log\FailureLog;
use Stampede\Log\Logger;
use Stampede\Log\ProcessLogger;
use Stampede\Log\StartLogger;

/** What the processes of a server write to. */
final readonly class Logs
{
    /** For what is told while the server runs. */
    public ProcessLogger $process;
    public FailureLog $failures;

    /** @param StartLogger|null $start of a server that is started in the background */
    public function __construct(ProcessLogger $process, private ?StartLogger $start)
    {
        $this->process = $process;
        $this->failures = new FailureLog($process);
    }

    /** For what the user who starts the server wants to know. */
    public function user(): Logger
    {
        return $this->start ?? $this->process;
    }

    public function announceService(): void
    {
        $this->start?->announceService();
    }
}
