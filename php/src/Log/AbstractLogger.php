<?php

declare(strict_types=1);

namespace Stampede\Log;

/** A logger that handles all levels alike. */
abstract class AbstractLogger implements Logger
{
    /** @param array<string, mixed> $facts */
    abstract protected function log(LogLevel $level, string $message, array $facts = []): void;

    final public function error(string $message, array $facts = []): void
    {
        $this->log(LogLevel::Error, $message, $facts);
    }

    final public function warning(string $message, array $facts = []): void
    {
        $this->log(LogLevel::Warning, $message, $facts);
    }

    final public function notice(string $message): void
    {
        $this->log(LogLevel::Notice, $message);
    }

    final public function info(string $message): void
    {
        $this->log(LogLevel::Info, $message);
    }

    final public function debug(string $message): void
    {
        $this->log(LogLevel::Debug, $message);
    }
}
