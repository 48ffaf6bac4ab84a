<?php

declare(strict_types=1);

namespace Stampede\Loop;

use Revolt\EventLoop\Suspension;

/**
 * Suspends what called EventLoop::getSuspension(): a coroutine (only it waits, the loop goes on), a Fiber of PHP's own,
 * or the program outside of both, which then runs the loop until it is resumed.
 *
 * @internal
 * @template T
 * @implements Suspension<T>
 */
final class RevoltSuspension implements Suspension
{
    private bool $pending = false;
    private mixed $value = null;
    private ?\Throwable $throwable = null;
    private ?\FiberError $fiberError = null;
    /** @var \WeakReference<\Fiber<mixed, mixed, mixed, mixed>>|null */
    private readonly ?\WeakReference $fiber;

    /** @param \Fiber<mixed, mixed, mixed, mixed>|null $fiber */
    public function __construct(private readonly RevoltDriver $driver, private readonly int $cid, ?\Fiber $fiber)
    {
        $this->fiber = $fiber !== null ? \WeakReference::create($fiber) : null;
    }

    public function __destruct()
    {
        $this->driver->forgetSuspension($this->cid, $this);
    }

    public function suspend(): mixed
    {
        if ($this->pending) {
            throw new \Error('This suspension waits already: resume() or throw() it before the next suspend()');
        }
        $fiber = $this->fiber?->get();
        if ($fiber !== \Fiber::getCurrent() || ($fiber === null && $this->cid !== \max(\Swoole\Coroutine::getCid(), 0))) {
            throw new \Error('A suspension can be suspended only by the fiber or coroutine that asked for it');
        }
        $this->pending = true;
        $this->throwable = null;
        if ($fiber !== null) {
            $this->suspendFiber();
        } elseif ($this->cid > 0) {
            $this->suspendCoroutine();
        } else {
            $this->driver->runUntil(fn (): bool => !$this->isPending());
        }
        if ($this->isPending()) {
            $this->pending = false;
            throw new \Error('The event loop has nothing left to do and nobody resumed this suspension');
        }
        $value = $this->value;
        $this->value = null;
        if ($this->throwable !== null) {
            throw $this->throwable;
        }
        return $value;
    }

    public function resume(mixed $value = null): void
    {
        if ($this->pending && $this->cid > 0) {
            $this->pending = false;
            $this->value = $value;
            $this->driver->queue($this->driver->goOn, $this->cid);
            return;
        }
        $this->wake('resume', $value, null);
    }

    public function throw(\Throwable $throwable): void
    {
        $this->wake('throw', null, $throwable);
    }

    private function wake(string $method, mixed $value, ?\Throwable $throwable): void
    {
        if (!$this->pending) {
            throw $this->fiberError ?? new \Error("Must call suspend() before calling $method()");
        }
        $this->pending = false;
        $this->value = $value;
        $this->throwable = $throwable;
        if ($this->fiber !== null) {
            // Held from here on: nobody else may.
            $fiber = $this->fiber->get();
            $this->driver->queue(static function () use ($fiber): void {
                if ($fiber !== null && !$fiber->isTerminated()) {
                    $fiber->resume();
                }
            });
        } elseif ($this->cid > 0) {
            $this->driver->queue($this->driver->goOn, $this->cid);
        }
    }

    private function isPending(): bool
    {
        return $this->pending;
    }

    private function suspendFiber(): void
    {
        try {
            \Fiber::suspend();
        } catch (\FiberError $error) {
            $this->pending = false;
            $this->fiberError = $error;
            throw $error;
        }
    }

    private function suspendCoroutine(): void
    {
        if ($this->driver->isOwn($this->cid)) {
            $this->yieldUntilResumed();
            return;
        }
        $this->driver->await(1);
        try {
            $this->yieldUntilResumed();
        } finally {
            $this->driver->await(-1);
        }
    }

    private function yieldUntilResumed(): void
    {
        while ($this->pending) {
            if (!\Swoole\Coroutine::yield()) {
                $this->pending = false;
                throw new \Swoole\Coroutine\CanceledException('operation canceled');
            }
        }
    }
}
