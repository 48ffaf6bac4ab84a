<?php

declare(strict_types=1);

namespace Stampede\Loop;

use React\EventLoop\LoopInterface;
use React\EventLoop\Timer\Timer as ReactTimer;
use React\EventLoop\TimerInterface;
use Stampede\LoopControl;
use Swoole\Coroutine;
use Swoole\Event;
use Swoole\Timer;

/**
 * ReactPHP's event loop on Stampede's: Loop::set(new ReactLoop()) once in each process, behind its fork (in workerStart,
 * or at the beginning of run()). Every listener runs in a coroutine of its own and may wait as coroutines do.
 *
 * run() is needed outside of coroutines only: inside them the loop runs anyway.
 */
final class ReactLoop implements LoopInterface
{
    private readonly Streams $streams;
    /** @var array<int, true> */
    private array $readers = [];
    /** @var array<int, true> */
    private array $writers = [];
    /** @var array<int, int> by the object's number: the millisecond at which it fires, or Swoole\Timer's number */
    private array $timers = [];
    /** @var array<int, TimerInterface> by Swoole\Timer's number */
    private array $periodic = [];
    /** @var array<int, TimerMoment> by the millisecond */
    private array $moments = [];
    /** @var array<int, list<callable>> */
    private array $signals = [];
    /** @var array<int, int> */
    private array $signalIds = [];
    /** @var list<callable> */
    private array $ticks = [];
    /** @var list<callable|TimerInterface> those of this turn */
    private array $due = [];
    private int $nextDue = 0;
    private readonly \Closure $callTicks;
    private readonly \Closure $runTicks;
    private readonly \Closure $fireTimer;
    private bool $running = false;
    /** @var list<int> coroutines in run() */
    private array $runners = [];

    public function __construct()
    {
        if (!\extension_loaded('stampede')) {
            throw new \Error('ReactLoop needs the extension stampede: add extension=stampede to php.ini');
        }
        $this->streams = Streams::keepingLoop();
        $this->callTicks = $this->callTicks(...);
        $this->runTicks = $this->runTicks(...);
        $this->fireTimer = $this->fireTimer(...);
    }

    /**
     * @param resource $stream
     * @param callable $listener
     */
    public function addReadStream($stream, $listener): void
    {
        if (!isset($this->readers[(int) $stream])) {
            $this->readers[(int) $stream] = true;
            $this->streams->read($stream, static function ($stream) use ($listener): void {
                $listener($stream);
            });
        }
    }

    /**
     * @param resource $stream
     * @param callable $listener
     */
    public function addWriteStream($stream, $listener): void
    {
        if (!isset($this->writers[(int) $stream])) {
            $this->writers[(int) $stream] = true;
            $this->streams->write($stream, static function ($stream) use ($listener): void {
                $listener($stream);
            });
        }
    }

    /** @param resource $stream */
    public function removeReadStream($stream): void
    {
        if (isset($this->readers[(int) $stream])) {
            unset($this->readers[(int) $stream]);
            $this->streams->stopReading((int) $stream);
            $this->wakeRunnersWhenEmpty();
        }
    }

    /** @param resource $stream */
    public function removeWriteStream($stream): void
    {
        if (isset($this->writers[(int) $stream])) {
            unset($this->writers[(int) $stream]);
            $this->streams->stopWriting((int) $stream);
            $this->wakeRunnersWhenEmpty();
        }
    }

    /**
     * @param int|float $interval
     * @param callable $callback
     */
    public function addTimer($interval, $callback): TimerInterface
    {
        $timer = new ReactTimer($interval, $callback, false);
        // Timers of the same millisecond share one of the loop's. Never early.
        $now = \hrtime(true);
        $due = (int) \ceil(($now + $timer->getInterval() * 1e9) / 1e6);
        $moment = $this->moments[$due] ??= new TimerMoment(
            (int) Timer::after(\max(1, (int) \ceil($due - $now / 1e6)), $this->fireTimer, $due),
        );
        $moment->timers[\spl_object_id($timer)] = $timer;
        $this->timers[\spl_object_id($timer)] = $due;
        return $timer;
    }

    /**
     * @param int|float $interval
     * @param callable $callback
     */
    public function addPeriodicTimer($interval, $callback): TimerInterface
    {
        $timer = new ReactTimer($interval, $callback, true);
        $id = (int) Timer::tick(self::millis($timer), static function () use ($timer): void {
            ($timer->getCallback())($timer);
        });
        $this->timers[\spl_object_id($timer)] = $id;
        $this->periodic[$id] = $timer;
        return $timer;
    }

    public function cancelTimer(TimerInterface $timer): void
    {
        $id = \spl_object_id($timer);
        if (!isset($this->timers[$id])) {
            return;
        }
        $native = $this->timers[$id];
        unset($this->timers[$id]);
        if ($timer->isPeriodic()) {
            Timer::clear($native);
            unset($this->periodic[$native]);
        } elseif (isset($this->moments[$native])) {
            unset($this->moments[$native]->timers[$id]);
            if ($this->moments[$native]->timers === []) {
                Timer::clear($this->moments[$native]->native);
                unset($this->moments[$native]);
            }
        }
        $this->wakeRunnersWhenEmpty();
    }

    /** @param callable $listener */
    public function futureTick($listener): void
    {
        $this->ticks[] = $listener;
        if (\count($this->ticks) === 1) {
            Event::defer($this->callTicks);
        }
    }

    /**
     * @param int $signal
     * @param callable $listener
     */
    public function addSignal($signal, $listener): void
    {
        if (\in_array($listener, $this->signals[$signal] ?? [], true)) {
            return;
        }
        $this->signals[$signal][] = $listener;
        if (\count($this->signals[$signal]) > 1) {
            return;
        }
        $id = LoopControl::onSignal($signal, function (int $signal): void {
            foreach ($this->signals[$signal] ?? [] as $listener) {
                $listener($signal);
            }
        });
        if ($id === false) {
            unset($this->signals[$signal]);
            throw new \InvalidArgumentException("The signal $signal cannot be caught");
        }
        $this->signalIds[$signal] = $id;
    }

    /**
     * @param int $signal
     * @param callable $listener
     */
    public function removeSignal($signal, $listener): void
    {
        $index = \array_search($listener, $this->signals[$signal] ?? [], true);
        if ($index === false) {
            return;
        }
        \array_splice($this->signals[$signal], (int) $index, 1);
        if ($this->signals[$signal] === []) {
            LoopControl::offSignal($this->signalIds[$signal]);
            unset($this->signals[$signal], $this->signalIds[$signal]);
            $this->wakeRunnersWhenEmpty();
        }
    }

    /** Until stop(), or until nothing is left to do; in a coroutine only that waits. */
    public function run(): void
    {
        $this->running = true;
        $cid = Coroutine::getCid();
        while (!$this->hasEnded()) {
            if ($cid > 0) {
                $this->runners[] = $cid;
                Coroutine::yield();
            } elseif (!LoopControl::hasWork() || !Event::dispatch()) {
                break;
            }
        }
        $this->running = false;
    }

    public function stop(): void
    {
        $this->running = false;
        $this->wakeRunners();
    }

    private function fireTimer(int $due): void
    {
        $timers = $this->moments[$due]->timers;
        unset($this->moments[$due]);
        $this->due = [...\array_slice($this->due, $this->nextDue), ...\array_values($timers)];
        $this->nextDue = 0;
        $this->runDue();
    }

    /** Another coroutine goes on where one of them waits. What they add is for the next turn. */
    private function callTicks(): void
    {
        $this->due = isset($this->due[$this->nextDue])
            ? [...\array_slice($this->due, $this->nextDue), ...$this->ticks] : $this->ticks;
        $this->ticks = [];
        $this->nextDue = 0;
        $this->runDue();
    }

    private function runDue(): void
    {
        while (isset($this->due[$this->nextDue])) {
            Coroutine::create($this->runTicks);
        }
        $this->due = [];
        $this->nextDue = 0;
        $this->wakeRunnersWhenEmpty();
    }

    private function runTicks(): void
    {
        while (isset($this->due[$this->nextDue])) {
            $call = $this->due[$this->nextDue++];
            if (!$call instanceof TimerInterface) {
                $call();
            } elseif (isset($this->timers[\spl_object_id($call)])) {
                unset($this->timers[\spl_object_id($call)]);
                ($call->getCallback())($call);
            }
        }
    }

    private function hasEnded(): bool
    {
        return !$this->running || $this->isEmpty();
    }

    private function isEmpty(): bool
    {
        return $this->readers === [] && $this->writers === [] && $this->signals === [] && $this->ticks === []
            && $this->due === [] && $this->timers === [];
    }

    private function wakeRunnersWhenEmpty(): void
    {
        if ($this->runners !== [] && $this->isEmpty()) {
            $this->wakeRunners();
        }
    }

    private function wakeRunners(): void
    {
        $runners = $this->runners;
        $this->runners = [];
        foreach ($runners as $cid) {
            Event::defer(static function () use ($cid): void {
                Coroutine::resume($cid);
            });
        }
    }

    private static function millis(TimerInterface $timer): int
    {
        // Never early: what the loop counts in are milliseconds.
        return \max(1, \min((int) \ceil($timer->getInterval() * 1000), 1 << 40));
    }
}
