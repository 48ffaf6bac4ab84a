<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;

/** So many requests of a worker are handled at once, the others wait for a slot. */
final class ConcurrencyLimit
{
    private const LOOK = 0.1; // seconds between looks for slots whose holder has ended without releasing them

    private readonly Channel $slots; // one element for each that is held
    /** @var array<int, true> by coroutine */
    private array $holders = [];

    public function __construct(int $number)
    {
        $this->slots = new Channel($number);
    }

    /** @return bool false when no slot will be free any more */
    public function acquire(): bool
    {
        while (!$this->slots->push(true, self::LOOK)) {
            if ($this->slots->errCode === SWOOLE_CHANNEL_CLOSED) {
                return false;
            }
            $this->reclaim();
        }
        $this->holders[Coroutine::getCid()] = true;
        return true;
    }

    public function release(): void
    {
        unset($this->holders[Coroutine::getCid()]);
        $this->slots->pop();
    }

    /** No request gets a slot any more; those that have one keep it. */
    public function close(): void
    {
        $this->slots->close();
    }

    /** A fatal error ends a coroutine where it is: no code of it runs that could release its slot. */
    private function reclaim(): void
    {
        foreach (array_keys($this->holders) as $coroutine) {
            if (!Coroutine::exists($coroutine)) {
                unset($this->holders[$coroutine]);
                $this->slots->pop();
            }
        }
    }
}
