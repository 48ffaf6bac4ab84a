<?php

declare(strict_types=1);

namespace Stampede\Process;

use Closure;
use Stampede\Exception\LaunchException;
use Stampede\Exception\ServerException;
use Stampede\Loop\BackgroundTimer;
use Swoole\Coroutine;
use Swoole\Timer;

/** A worker's processes for requests: as many as its requests need at once, made by a process that forks for this worker alone. */
final class ChildPool
{
    private const PATIENCE = 0.002; // seconds that a request waits for one of the requests with a processor, before it is handled beside them, where most are shorter
    private const HELLO_TIME = 5.0; // seconds
    private const START_TIME = 30.0; // seconds that a request waits for a process at most
    private const PAUSE = 200; // milliseconds until another one is made for one that ended before it had a request

    private readonly WorkerZygoteClient $forks;
    private readonly IdleChildren $idle;
    /** @var Closure(): (ChildConnection|null) */
    private readonly Closure $takeIdle;
    private readonly WaitingRequests $waiting;
    private PoolState $state = PoolState::Open;
    /** @var array<int, ChildConnection> by number, all that are connected */
    private array $children = [];
    private int $starting = 0; // processes that were asked for
    /** @var array<int, true> by number: their connections are closed, and they end */
    private array $dropped = [];
    /** @var array<int, true> by number: their clients have left, and their scripts go on */
    private array $abandoned = [];
    /** @var list<int> coroutines that listen to the processes */
    private array $listening = [];
    private bool $isAccepting = false; // while it rests, for as long as processes are starting
    private float $usualTime = 0.0; // seconds that a process has a request

    /**
     * @param int $most processes
     * @param int $spare idle ones, or such that are starting, there are always
     * @param int $atOnce requests that have a processor each
     * @param Closure(): void $lost the process that forks has ended
     */
    public function __construct(
        ZygoteClient $zygote,
        private readonly int $most,
        private readonly int $spare,
        private readonly int $atOnce,
        private readonly Closure $lost,
    ) {
        $this->forks = new WorkerZygoteClient($zygote);
        $this->idle = new IdleChildren($this->drop(...));
        $this->takeIdle = $this->idle->take(...);
        $this->waiting = new WaitingRequests();
    }

    /**
     * @return bool false when the program that forks is gone
     * @throws LaunchException
     */
    public function open(): bool
    {
        if (!$this->forks->open($this->most * 2)) {
            return false;
        }
        $this->listening = [(int) Coroutine::create($this->listenToForks(...)), (int) Coroutine::create($this->acceptAll(...))];
        for ($asked = max(1, $this->spare, $this->starting), $this->starting = 0; $asked > 0 && $this->start(); $asked--) { // by requests that came meanwhile
        }
        return true;
    }

    /** @throws ServerException when none is free in time */
    public function take(): ChildConnection
    {
        $child = null;
        if ($this->usualTime < self::PATIENCE && count($this->children) - $this->idle->count() >= $this->atOnce) {
            $child = $this->await(self::PATIENCE);
        }
        $child ??= $this->idle->take();
        if ($child === null) {
            $this->waiting->count() >= $this->starting && $this->start();
            $this->state === PoolState::Resting && $this->acceptStarted();
            $child = $this->await(self::START_TIME);
        }
        $this->spare > 0 && $this->startSpare();
        return $child ?? throw new ServerException('No process for this request has started within ' . self::START_TIME . ' seconds.');
    }

    /** @return ChildConnection|null none has become free in time */
    private function await(float $seconds): ?ChildConnection
    {
        return $this->state === PoolState::Closed ? null : $this->waiting->await($seconds, $this->takeIdle);
    }

    /** The request has ended, the process takes another one. */
    public function give(ChildConnection $child): void
    {
        $this->usualTime += (microtime(true) - $child->since - $this->usualTime) / 16;
        if ($this->state === PoolState::Closed) {
            $this->drop($child);
        } else {
            $this->offer($child);
        }
    }

    private function offer(ChildConnection $child): void
    {
        $this->idle->add($child);
        $this->waiting->wakeFirst();
    }

    /** The process ends by itself. */
    public function drop(ChildConnection $child): void
    {
        if ($child->state !== ChildState::Gone) {
            $child->state = ChildState::Gone;
            $child->close();
            unset($this->children[$child->pid]);
            if (!$child->hasEnded) {
                $this->dropped[$child->pid] = true;
            }
            $this->startForWaiting();
        }
    }

    /**
     * The client has left: PHP ends the script when it prints something, unless it ignores that.
     *
     * @param float $seconds that it may go on
     * @param Closure(): void $killed
     */
    public function abandon(ChildConnection $child, float $seconds, Closure $killed): void
    {
        $this->abandoned[$child->pid] = true; // it still counts
        $this->drop($child);
        BackgroundTimer::after((int) ($seconds * 1000), function () use ($child, $killed): void {
            $this->forks->kill($child->pid);
            $killed();
        });
    }

    public function kill(ChildConnection $child): void
    {
        $this->forks->kill($child->pid);
        $this->drop($child);
    }

    /** The worker is on its way out: nothing here keeps it, and a request of a connection that is still open is handled as before. */
    public function rest(): void
    {
        if ($this->state === PoolState::Open) {
            $this->state = PoolState::Resting;
        }
        array_map(Coroutine::cancel(...), array_splice($this->listening, 0));
    }

    /** Idle processes end, others with their requests. */
    public function close(): void
    {
        if ($this->state !== PoolState::Closed) {
            $this->state = PoolState::Closed;
            $this->idle->letAllGo();
            $this->forks->close();
            $this->waiting->close();
        }
    }

    /** @return bool whether there was room for one more */
    private function start(): bool
    {
        if ($this->state === PoolState::Closed || count($this->children) + count($this->abandoned) + $this->starting >= $this->most) {
            return false;
        }
        $this->starting++;
        $this->forks->fork();
        return true;
    }

    private function startSpare(): void
    {
        while ($this->state === PoolState::Open && $this->idle->count() + $this->starting < $this->spare && $this->start()) {
        }
    }

    private function startForWaiting(): void
    {
        $this->waiting->count() > 0 && $this->start();
        $this->spare > 0 && $this->startSpare();
    }

    private function acceptAll(): void
    {
        while ($this->state === PoolState::Open && $this->accept(-1)) {
        }
    }

    /** While it rests: a coroutine that ends with what it waits for, so that it does not keep the worker. */
    private function acceptStarted(): void
    {
        if (!$this->isAccepting) {
            $this->isAccepting = true;
            Coroutine::create(function (): void {
                while ($this->starting > 0 && $this->accept(self::HELLO_TIME)) {
                }
                $this->isAccepting = false;
            });
        }
    }

    /** @return bool false when none has connected in time */
    private function accept(float $seconds): bool
    {
        $child = $this->forks->accept($seconds);
        if ($child instanceof ChildConnection) {
            $this->starting = max(0, $this->starting - 1);
            $this->children[$child->pid] = $child;
            $this->offer($child);
        }
        return $child !== null;
    }

    private function listenToForks(): void
    {
        while (($pid = $this->forks->awaitEnd()) !== null) {
            $child = $this->children[$pid] ?? null;
            $child === null ? $this->noteEnd($pid) : $this->noteEndOf($child);
        }
        if ($this->state === PoolState::Open) {
            $this->close();
            ($this->lost)();
        }
    }

    private function noteEndOf(ChildConnection $child): void
    {
        $child->hasEnded = true;
        if ($child->state === ChildState::Idle) { // killed by somebody
            $this->idle->remove($child);
            $this->drop($child);
            Timer::after(self::PAUSE, fn () => $this->children === [] && $this->start());
        } else {
            $child->noteEnd();
        }
    }

    /** @param int $pid of a process that has no connection; 0: the fork has failed */
    private function noteEnd(int $pid): void
    {
        if (!isset($this->abandoned[$pid]) && !isset($this->dropped[$pid])) {
            $this->starting = max(0, $this->starting - 1);
            Timer::after(self::PAUSE, $this->startForWaiting(...));
            return;
        }
        unset($this->abandoned[$pid], $this->dropped[$pid]);
        $this->startForWaiting();
    }
}
