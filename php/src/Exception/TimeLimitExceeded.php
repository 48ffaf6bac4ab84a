<?php

declare(strict_types=1);

namespace Stampede\Exception;

use RuntimeException;

/** A request has reached its time limit: thrown where its code computes then, or only shown with the place where it waits. */
final class TimeLimitExceeded extends RuntimeException
{
    /** @var list<array<string, mixed>> calls of the application, the innermost first */
    public readonly array $frames;

    /** @param list<array<string, mixed>> $trace of the code that is stopped; its first frame with a file of the application says where that is */
    public function __construct(float $seconds, array $trace)
    {
        parent::__construct(sprintf('The request was not finished within its time limit of %s second%s.', $seconds, $seconds === 1.0 ? '' : 's'));
        while ($trace !== [] && !self::isOfApplication($trace[0])) {
            array_shift($trace);
        }
        $this->frames = $trace;
        $this->file = (string) ($trace[0]['file'] ?? '');
        $this->line = (int) ($trace[0]['line'] ?? 0);
    }

    /** Empty when none is known: the code runs in a process of its own. */
    public function place(): string
    {
        return $this->file === '' ? '' : "{$this->file}:{$this->line}";
    }

    /** @param array<string, mixed> $frame */
    private static function isOfApplication(array $frame): bool
    {
        return isset($frame['file']) && !str_starts_with((string) $frame['file'], dirname(__DIR__) . '/');
    }
}
