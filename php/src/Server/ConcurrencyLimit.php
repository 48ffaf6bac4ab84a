<?php

declare(strict_types=1);

namespace Stampede\Server;

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;

/** So many requests of a worker are handled at once, the others wait. */
final class ConcurrencyLimit
{
    private const LOOK = 0.1; // seconds between looks for places that nobody gives back

    private readonly Channel $taken;
    /** @var array<int, true> by coroutine */
    private array $holders = [];

    public function __construct(int $number)
    {
        $this->taken = new Channel($number);
    }

    /** @return bool false when none will be free any more */
    public function take(): bool
    {
        while (!$this->taken->push(true, self::LOOK)) {
            if ($this->taken->errCode === SWOOLE_CHANNEL_CLOSED) {
                return false;
            }
            $this->takeBack();
        }
        $this->holders[Coroutine::getCid()] = true;
        return true;
    }

    public function give(): void
    {
        unset($this->holders[Coroutine::getCid()]);
        $this->taken->pop();
    }

    /** No request gets a place any more; those that have one keep it. */
    public function close(): void
    {
        $this->taken->close();
    }

    /** A fatal error ends a coroutine where it is: no code of it runs that could give its place back. */
    private function takeBack(): void
    {
        foreach (array_keys($this->holders) as $coroutine) {
            if (!Coroutine::exists($coroutine)) {
                unset($this->holders[$coroutine]);
                $this->taken->pop();
            }
        }
    }
}
