<?php

declare(strict_types=1);

namespace Paddock\Live;

use Swoole\Coroutine\Channel;

/** The newest message of a topic. A subscriber that is slow misses what was in between, and holds nobody up. */
final class Subscription
{
    private readonly Channel $bell;
    /** @var array<string, string> */
    private array $newest = [];
    private bool $isClosed = false;

    public function __construct(private readonly Hub $hub, public readonly string $topic, private readonly string $except)
    {
        $this->bell = new Channel(1);
    }

    /** @param array<string, string> $message */
    public function offer(array $message): void
    {
        if (($message['from'] ?? null) === $this->except) {
            return;
        }
        $this->newest = $message;
        if ($this->bell->isEmpty()) {
            $this->bell->push(true);
        }
    }

    /** @return array<string, string>|null null when the time is over, or it was closed */
    public function next(float $seconds): ?array
    {
        return $this->bell->pop($seconds) === true ? $this->newest : null;
    }

    public function isClosed(): bool
    {
        return $this->isClosed;
    }

    public function close(): void
    {
        $this->isClosed = true;
        $this->hub->leave($this);
        $this->bell->close();
    }
}
