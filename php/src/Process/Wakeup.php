<?php

declare(strict_types=1);

namespace Stampede\Process;

use Swoole\Coroutine\Channel;

/** For one coroutine that waits until another one has changed something: it looks at that itself when it goes on, which is at once. */
final class Wakeup
{
    private readonly Channel $channel;

    public function __construct()
    {
        $this->channel = new Channel(1);
    }

    public function wait(float $seconds): void
    {
        $this->channel->pop($seconds);
    }

    public function wake(): void
    {
        if ($this->channel->isEmpty()) {
            $this->channel->push(true);
        }
    }
}
