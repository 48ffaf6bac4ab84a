<?php

declare(strict_types=1);

namespace Mcp;

use Stampede\Http\EventStream;
use Swoole\Coroutine;

/** A client between "initialize" and the end: what it runs at the moment, and the stream on which the server speaks by itself. */
final class Session
{
    public ?EventStream $stream = null;
    public int $lastSeen;
    /** @var array<int|string, int> coroutines by the id of their request */
    private array $running = [];

    public function __construct(public readonly string $id)
    {
        $this->lastSeen = time();
    }

    /**
     * @template T
     * @param callable(): T $work
     * @return T
     */
    public function run(int|string $request, callable $work): mixed
    {
        $this->running[$request] = Coroutine::getCid();
        try {
            return $work();
        } finally {
            unset($this->running[$request]);
        }
    }

    public function isRunning(int|string $request): bool
    {
        return isset($this->running[$request]);
    }

    public function count(): int
    {
        return count($this->running);
    }

    /** The request ends with a CanceledException, wherever it waits. */
    public function cancel(int|string $request): void
    {
        if (isset($this->running[$request])) {
            Coroutine::cancel($this->running[$request], true);
        }
    }

    public function end(): void
    {
        array_map($this->cancel(...), array_keys($this->running));
        $this->stream?->close();
    }
}
