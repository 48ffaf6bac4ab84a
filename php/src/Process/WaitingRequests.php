<?php

declare(strict_types=1);

namespace Stampede\Process;

use Closure;
use Swoole\Coroutine\Channel;

/** Coroutines of requests that wait for a process, the first one first. A woken one looks itself whether there is a process for it. */
final class WaitingRequests
{
    /** @var array<int, Channel> by number */
    private array $wakeups = [];
    private int $number = 0; // of the next one
    private bool $isClosed = false;

    public function count(): int
    {
        return count($this->wakeups);
    }

    /**
     * @template T
     * @param Closure(): (T|null) $look called each time that this request is woken
     * @return T|null null: none in time
     */
    public function await(float $seconds, Closure $look): mixed
    {
        $number = $this->number++;
        $this->wakeups[$number] = $wakeup = new Channel(1);
        try {
            $until = microtime(true) + $seconds;
            while (!$this->isClosed && ($left = $until - microtime(true)) > 0) {
                $wakeup->pop($left);
                if (($found = $look()) !== null) {
                    return $found;
                }
            }
            return null;
        } finally {
            unset($this->wakeups[$number]);
        }
    }

    public function wakeFirst(): void
    {
        foreach ($this->wakeups as $wakeup) {
            self::wake($wakeup);
            break;
        }
    }

    /** Nothing is waited for any more. */
    public function close(): void
    {
        $this->isClosed = true;
        array_map(self::wake(...), $this->wakeups);
    }

    private static function wake(Channel $wakeup): void
    {
        if ($wakeup->isEmpty()) {
            $wakeup->push(true);
        }
    }
}
