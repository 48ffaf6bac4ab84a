<?php

declare(strict_types=1);

namespace Stampede\Tests\Log;

use Stampede\Log\AbstractLogger;
use Stampede\Log\LogLevel;

/** A logger that keeps its messages. */
final class RecordedLogger extends AbstractLogger
{
    /** @var list<string> each with its level */
    public array $messages = [];

    protected function log(LogLevel $level, string $message, array $facts = []): void
    {
        $this->messages[] = "{$level->value}: {$message}";
    }
}
