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

    protected function log(LogLevel $level, string $message): void
    {
        $this->output->write(LogOutput::isJson() ? $this->object($level, $message) : LogText::lines($message));
    }

    private function object(LogLevel $level, string $message): string
    {
        $object = ['time' => (new \DateTimeImmutable())->format(\DATE_RFC3339_EXTENDED), 'level' => $level->value]
            + ($this->worker === null ? [] : ['worker' => $this->worker]) + ['message' => LogText::cut(rtrim($message))];
        return json_encode($object, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE) . "\n";
    }
}
