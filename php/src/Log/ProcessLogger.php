<?php

declare(strict_types=1);

namespace Stampede\Log;

/** Messages in the format of the log: lines, or an object of JSON for each. */
final class ProcessLogger extends AbstractLogger
{
    /** Null: this process is no worker. */
    private ?int $worker = null;

    public function __construct(private readonly LogOutput $output = new LogOutput()) {}

    /** From now on messages name the worker that they come from. */
    public function setWorker(int $number): void
    {
        $this->worker = $number;
    }

    protected function log(LogLevel $level, string $message, array $facts = []): void
    {
        if ($level->isShown()) {
            $this->output->write(LogOutput::isJson() ? $this->object($level, $message, $facts) : LogText::lines($message));
        }
    }

    /** @param array<string, mixed> $facts */
    private function object(LogLevel $level, string $message, array $facts): string
    {
        $object = ['time' => (new \DateTimeImmutable())->format(\DATE_RFC3339_EXTENDED), 'level' => $level->value]
            + ($this->worker === null ? [] : ['worker' => $this->worker]) + ['message' => LogText::cut(rtrim($message))] + $facts;
        return json_encode($object, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE) . "\n";
    }
}
