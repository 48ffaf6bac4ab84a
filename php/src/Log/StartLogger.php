<?php

declare(strict_types=1);

namespace Stampede\Log;

/**
 * The log of a server that is started in the background. Once it has left its terminal, the command that has started it is told as well, by a pipe, until the
 * server serves: nobody reads the pipe any more then.
 */
final class StartLogger extends AbstractLogger
{
    /** What the command reads when the server serves. */
    public const SERVES = "serves\n";

    private readonly int|false $session; // in which the command runs

    /** @param resource $pipe to the command */
    public function __construct(private readonly ProcessLogger $logger, private $pipe)
    {
        $this->session = posix_getsid(0);
    }

    public function announceService(): void
    {
        @fwrite($this->pipe, self::SERVES);
    }

    protected function log(LogLevel $level, string $message, array $facts = []): void
    {
        if (posix_getsid(0) !== $this->session) {
            @fwrite($this->pipe, "{$message}\n");
        }
        $this->logger->{$level->value}($message);
    }
}
