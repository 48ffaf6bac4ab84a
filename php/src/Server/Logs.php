<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Config\Configuration;
use Stampede\Log\AccessLog;
use Stampede\Log\FailureLog;
use Stampede\Log\Logger;
use Stampede\Log\LogOutput;
use Stampede\Log\ProcessLogger;
use Stampede\Log\StartLogger;

/** What the processes of a server write to. */
final readonly class Logs
{
    public LogOutput $output;
    /** For what is told while the server runs. */
    public ProcessLogger $process;
    public AccessLog $access;
    public FailureLog $failures;

    /** @param StartLogger|null $start of a server that is started in the background */
    public function __construct(Configuration $options, LogOutput $output, ProcessLogger $process, private ?StartLogger $start)
    {
        $this->output = $output;
        $this->process = $process;
        $this->access = new AccessLog($options, $output);
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
