<?php

declare(strict_types=1);

namespace Stampede\Loop;

use Revolt\EventLoop\CallbackType;
use Revolt\EventLoop\Driver;
use Revolt\EventLoop\FiberLocal;
use Revolt\EventLoop\InvalidCallbackError;
use Revolt\EventLoop\Suspension;
use Revolt\EventLoop\UncaughtThrowable;
use Stampede\LoopControl;
use Swoole\Coroutine;
use Swoole\Event;
use Swoole\Timer;

/**
 * Revolt's event loop on Stampede's: EventLoop::setDriver(new RevoltDriver()) once in each process, behind its fork (in
 * workerStart, or at the beginning of run()). Every callback runs in a coroutine of its own. It may wait as coroutines
 * do, and what AMPHP packages suspend is the calling coroutine only.
 *
 * As with all drivers but stream_select, bytes that PHP has read ahead into a stream's own buffer are not announced again:
 * read until nothing is left, or switch the buffer off by stream_set_read_buffer($stream, 0), as the packages do.
 *
 * The loop goes on for this driver as long as something is enabled and referenced and somebody waits for it: run(), or
 * a suspension outside of the driver's own callbacks. In a server it goes on anyway.
 */
final class RevoltDriver implements Driver
{
    private string $nextId = 'a';
    /** @var array<string, RevoltCallback> */
    private array $callbacks = [];
    private int $keeping = 0;  // enabled and referenced
    private int $waiting = 0;  // who wants the loop to go on for that
    private bool $held = false;
    /** @var array<int, true> coroutines that this driver made */
    private array $own = [];
    private readonly Streams $streams;
    /** @var array<int, array<string, RevoltCallback>> */
    private array $readers = [];
    /** @var array<int, array<string, RevoltCallback>> */
    private array $writers = [];
    /** @var array<int, array{\Closure, array<array-key, mixed>}> */
    private array $microtasks = [];
    private int $nextMicrotask = 0;
    private bool $draining = false;
    /** @var list<RevoltCallback> */
    private array $deferred = [];
    /** @var list<RevoltCallback> those of this turn */
    private array $due = [];
    private int $nextDue = 0;
    private readonly \Closure $drain;
    private readonly \Closure $callDeferred;
    private readonly \Closure $runDeferred;
    private readonly \Closure $fireTimer;
    /** @internal lets a coroutine go on */
    public readonly \Closure $goOn;
    private readonly \Closure $runMicrotasks;
    /** @var array<int, \WeakReference<RevoltSuspension<mixed>>> */
    private array $suspensions = [];
    /** @var \WeakMap<object, \WeakReference<RevoltSuspension<mixed>>> */
    private \WeakMap $fiberSuspensions;
    /** @var (\Closure(\Throwable): void)|null */
    private ?\Closure $errorHandler = null;
    private ?UncaughtThrowable $uncaught = null;
    private int $running = 0;
    private bool $stopped = false;
    /** @var list<int> coroutines in run() */
    private array $runners = [];

    public function __construct()
    {
        if (!\extension_loaded('stampede')) {
            throw new \Error('RevoltDriver needs the extension stampede: add extension=stampede to php.ini');
        }
        $this->streams = Streams::besideLoop();
        $this->fiberSuspensions = new \WeakMap();
        $this->drain = $this->drain(...);
        $this->runMicrotasks = $this->runMicrotasks(...);
        $this->callDeferred = $this->callDeferred(...);
        $this->runDeferred = $this->runDeferred(...);
        $this->fireTimer = $this->fireTimer(...);
        $this->goOn = static function (int $cid): void {
            Coroutine::resume($cid);
        };
    }

    public function run(): void
    {
        if ($this->running > 0) {
            throw new \Error('The event loop is already running');
        }
        if (\Fiber::getCurrent() !== null) {
            throw new \Error('The event loop cannot be run inside a Fiber: call run() outside, or in a coroutine');
        }
        $this->stopped = false;
        $this->runUntil($this->hasEnded(...));
    }

    private function hasEnded(): bool
    {
        return $this->stopped || ($this->keeping === 0 && $this->microtasks === []);
    }

    /**
     * Runs the loop, or waits beside it in a coroutine, until the condition holds or nothing is left to happen.
     *
     * @internal
     * @param \Closure(): bool $done
     */
    public function runUntil(\Closure $done): void
    {
        $this->running++;
        $this->await(1);
        try {
            $cid = Coroutine::getCid();
            while (!$done() && $this->uncaught === null) {
                if ($cid > 0) {
                    $this->runners[] = $cid;
                    Coroutine::yield();
                } elseif (!LoopControl::hasWork() || !Event::dispatch()) {
                    break;
                }
            }
        } finally {
            $this->running--;
            $this->await(-1);
        }
        if ($this->uncaught !== null) {
            [$uncaught, $this->uncaught] = [$this->uncaught, null];
            throw $uncaught;
        }
    }

    public function stop(): void
    {
        $this->stopped = true;
        $this->wakeRunners();
    }

    public function isRunning(): bool
    {
        return $this->running > 0;
    }

    public function queue(\Closure $closure, mixed ...$args): void
    {
        $this->microtasks[] = [$closure, $args];
        if (!$this->draining) {
            $this->draining = true;
            Event::defer($this->drain);
        }
    }

    public function defer(\Closure $closure): string
    {
        $id = $this->nextId++;
        $callback = $this->callbacks[$id] = new RevoltCallback($id, CallbackType::Defer, $closure);
        $callback->enabled = true;
        if ($this->keeping++ === 0) {
            $this->hold();
        }
        $this->callSoon($callback);
        return $id;
    }

    public function delay(float $delay, \Closure $closure): string
    {
        if ($delay < 0) {
            throw new \Error('Delay must be greater than or equal to zero');
        }
        $callback = new RevoltCallback($this->nextId++, CallbackType::Delay, $closure);
        $callback->seconds = $delay;
        return $this->add($callback);
    }

    public function repeat(float $interval, \Closure $closure): string
    {
        if ($interval < 0) {
            throw new \Error('Interval must be greater than or equal to zero');
        }
        $callback = new RevoltCallback($this->nextId++, CallbackType::Repeat, $closure);
        $callback->seconds = $interval;
        return $this->add($callback);
    }

    public function onReadable(mixed $stream, \Closure $closure): string
    {
        return $this->addStream(CallbackType::Readable, $closure, $stream);
    }

    public function onWritable(mixed $stream, \Closure $closure): string
    {
        return $this->addStream(CallbackType::Writable, $closure, $stream);
    }

    public function onSignal(int $signal, \Closure $closure): string
    {
        $callback = new RevoltCallback($this->nextId++, CallbackType::Signal, $closure);
        $callback->signal = $signal;
        return $this->add($callback);
    }

    public function enable(string $callbackId): string
    {
        $callback = $this->find($callbackId);
        if (!$callback->enabled) {
            $callback->enabled = true;
            $this->activate($callback);
            $this->keep($callback->referenced ? 1 : 0);
        }
        return $callbackId;
    }

    public function cancel(string $callbackId): void
    {
        $this->disable($callbackId);
        unset($this->callbacks[$callbackId]);
    }

    public function disable(string $callbackId): string
    {
        $callback = $this->callbacks[$callbackId] ?? null;
        if ($callback !== null && $callback->enabled) {
            $callback->enabled = false;
            $this->deactivate($callback);
            $this->release($callback);
        }
        return $callbackId;
    }

    public function reference(string $callbackId): string
    {
        $this->refer($this->find($callbackId), true);
        return $callbackId;
    }

    public function unreference(string $callbackId): string
    {
        $callback = $this->callbacks[$callbackId] ?? null;
        if ($callback !== null) {
            $this->refer($callback, false);
        }
        return $callbackId;
    }

    public function setErrorHandler(?\Closure $errorHandler): void
    {
        $this->errorHandler = $errorHandler;
    }

    public function getErrorHandler(): ?\Closure
    {
        return $this->errorHandler;
    }

    public function getHandle(): mixed
    {
        return null;
    }

    /** @return list<string> */
    public function getIdentifiers(): array
    {
        return \array_map(strval(...), \array_keys($this->callbacks));
    }

    public function getType(string $callbackId): CallbackType
    {
        return $this->find($callbackId)->type;
    }

    public function isEnabled(string $callbackId): bool
    {
        return $this->find($callbackId)->enabled;
    }

    public function isReferenced(string $callbackId): bool
    {
        return $this->find($callbackId)->referenced;
    }

    /** @return array<string, array{type: CallbackType, enabled: bool, referenced: bool}> */
    public function __debugInfo(): array
    {
        return \array_map(static fn (RevoltCallback $callback): array => [
            'type' => $callback->type,
            'enabled' => $callback->enabled,
            'referenced' => $callback->referenced,
        ], $this->callbacks);
    }

    /** @return Suspension<mixed> */
    public function getSuspension(): Suspension
    {
        $fiber = \Fiber::getCurrent();
        $cid = $fiber === null ? \max(Coroutine::getCid(), 0) : 0;
        $known = $fiber !== null ? $this->fiberSuspensions[$fiber] ?? null : $this->suspensions[$cid] ?? null;
        $suspension = $known?->get();
        if ($suspension === null) {
            $suspension = new RevoltSuspension($this, $cid, $fiber);
            if ($fiber !== null) {
                $this->fiberSuspensions[$fiber] = \WeakReference::create($suspension);
            } else {
                $this->suspensions[$cid] = \WeakReference::create($suspension);
            }
        }
        return $suspension;
    }

    /**
     * @internal
     * @param RevoltSuspension<mixed> $suspension
     */
    public function forgetSuspension(int $cid, RevoltSuspension $suspension): void
    {
        $kept = ($this->suspensions[$cid] ?? null)?->get();
        if ($kept === null || $kept === $suspension) {
            unset($this->suspensions[$cid]);
        }
    }

    private function find(string $id): RevoltCallback
    {
        return $this->callbacks[$id] ?? throw InvalidCallbackError::invalidIdentifier($id);
    }

    private function addStream(CallbackType $type, \Closure $closure, mixed $stream): string
    {
        if (!\is_resource($stream)) {
            throw new \Error('The stream to watch is closed, or no stream');
        }
        $callback = new RevoltCallback($this->nextId++, $type, $closure);
        $callback->stream = $stream;
        return $this->add($callback);
    }

    private function add(RevoltCallback $callback): string
    {
        $this->activate($callback);
        $this->callbacks[$callback->id] = $callback;
        $callback->enabled = true;
        $this->keep(1);
        return $callback->id;
    }

    private function activate(RevoltCallback $callback): void
    {
        match ($callback->type) {
            CallbackType::Defer => $this->callSoon($callback),
            CallbackType::Delay, CallbackType::Repeat => $this->startTimer($callback),
            CallbackType::Readable => $this->watch($this->readers, $callback, $this->streams->read(...)),
            CallbackType::Writable => $this->watch($this->writers, $callback, $this->streams->write(...)),
            CallbackType::Signal => $this->startSignal($callback),
        };
    }

    private function deactivate(RevoltCallback $callback): void
    {
        switch ($callback->type) {
            case CallbackType::Defer:
                break;
            case CallbackType::Readable:
                $this->unwatch($this->readers, $callback, $this->streams->stopReading(...));
                break;
            case CallbackType::Writable:
                $this->unwatch($this->writers, $callback, $this->streams->stopWriting(...));
                break;
            case CallbackType::Signal:
                LoopControl::offSignal((int) $callback->native);
                break;
            default:
                $this->stopTimer($callback);
        }
        $callback->native = null;
    }

    // ---- timers

    private function startTimer(RevoltCallback $callback): void
    {
        // Never early: what the loop counts in are milliseconds.
        $millis = (int) \ceil($callback->seconds * 1000);
        if ($millis === 0) {
            $this->callSoon($callback);
            return;
        }
        $callback->native = (int) Timer::after(\min($millis, 1 << 40), $this->fireTimer, $callback);
        LoopControl::ignore(0, 1);
    }

    private function stopTimer(RevoltCallback $callback): void
    {
        if ($callback->native !== null) {
            LoopControl::ignore(0, -1);
            Timer::clear($callback->native);
        }
    }

    private function fireTimer(RevoltCallback $callback): void
    {
        $callback->native = null;
        LoopControl::ignore(0, -1);
        $cid = Coroutine::getCid();
        $this->own[$cid] = true;
        $this->fireOnce($callback);
        unset($this->own[$cid]);
    }

    // ---- deferred calls

    private function callSoon(RevoltCallback $callback): void
    {
        $this->deferred[] = $callback;
        if (\count($this->deferred) === 1) {
            Event::defer($this->callDeferred);
        }
    }

    /** Another coroutine goes on where one of them waits. What they defer is for the next turn. */
    private function callDeferred(): void
    {
        $this->due = isset($this->due[$this->nextDue])
            ? [...\array_slice($this->due, $this->nextDue), ...$this->deferred] : $this->deferred;
        $this->deferred = [];
        $this->nextDue = 0;
        while (isset($this->due[$this->nextDue])) {
            Coroutine::create($this->runDeferred);
        }
        $this->due = [];
        $this->nextDue = 0;
    }

    private function runDeferred(): void
    {
        $cid = Coroutine::getCid();
        $this->own[$cid] = true;
        while (isset($this->due[$this->nextDue])) {
            $callback = $this->due[$this->nextDue++];
            if ($callback->type !== CallbackType::Defer) {
                $this->fireOnce($callback);
            } elseif ($callback->enabled) {
                $callback->enabled = false;
                unset($this->callbacks[$callback->id]);
                $this->call($callback);
                if ($callback->referenced && --$this->keeping === 0) {
                    $this->keep(0);
                }
            }
        }
        unset($this->own[$cid]);
    }

    /** A deferred call or a timer whose time has come. */
    private function fireOnce(RevoltCallback $callback): void
    {
        if (!$callback->enabled || $callback->native !== null) {
            return;  // disabled, or enabled anew since
        }
        if ($callback->type === CallbackType::Repeat) {
            $this->startTimer($callback);
        } else {
            $callback->enabled = false;
            unset($this->callbacks[$callback->id]);
        }
        $this->call($callback);
        if (!$callback->enabled && $callback->type !== CallbackType::Repeat && $callback->referenced) {
            $this->keep(-1);
        }
    }

    // ---- streams

    /**
     * @param array<int, array<string, RevoltCallback>> $table
     * @param \Closure(resource, \Closure(resource): void): void $start
     */
    private function watch(array &$table, RevoltCallback $callback, \Closure $start): void
    {
        $stream = $callback->stream;
        if (!\is_resource($stream)) {
            throw new \Error('The stream to watch is closed, or no stream');
        }
        $id = (int) $stream;
        $table[$id][$callback->id] = $callback;
        if (\count($table[$id]) === 1) {
            $start($stream, function ($stream) use (&$table, $id): void {
                $cid = Coroutine::getCid();
                $this->own[$cid] = true;
                foreach ($table[$id] ?? [] as $callback) {
                    if ($callback->enabled) {
                        $this->call($callback, $stream);
                    }
                }
                unset($this->own[$cid]);
            });
        }
    }

    /**
     * @param array<int, array<string, RevoltCallback>> $table
     * @param \Closure(int): void $stop
     */
    private function unwatch(array &$table, RevoltCallback $callback, \Closure $stop): void
    {
        $id = (int) $callback->stream;
        unset($table[$id][$callback->id]);
        if (($table[$id] ?? null) === []) {
            unset($table[$id]);
            $stop($id);
        }
    }

    // ---- signals

    private function startSignal(RevoltCallback $callback): void
    {
        $native = LoopControl::onSignal($callback->signal, function () use ($callback): void {
            $cid = Coroutine::getCid();
            $this->own[$cid] = true;
            if ($callback->enabled) {
                $this->call($callback, $callback->signal);
            }
            unset($this->own[$cid]);
        });
        if ($native === false) {
            throw new \Revolt\EventLoop\UnsupportedFeatureException("The signal $callback->signal cannot be caught");
        }
        $callback->native = $native;
        LoopControl::keepForSignal($native, false);
    }

    // ---- what keeps the loop going

    private function refer(RevoltCallback $callback, bool $referenced): void
    {
        if ($callback->referenced === $referenced) {
            return;
        }
        $callback->referenced = $referenced;
        if (!$callback->enabled) {
            return;
        }
        $this->keep($referenced ? 1 : -1);
    }

    private function release(RevoltCallback $callback): void
    {
        if ($callback->referenced) {
            $this->keep(-1);
        }
    }

    private function keep(int $more): void
    {
        $before = $this->keeping;
        $this->keeping += $more;
        if ($before === 0 || $this->keeping === 0) {
            $this->hold();
            $this->wakeRunnersWhenEmpty();
        }
    }

    /** @internal so many more (negative: fewer) want the loop to go on */
    public function await(int $more): void
    {
        $this->waiting += $more;
        $this->hold();
    }

    /** @internal whether the current coroutine is one of the driver's callbacks */
    public function isOwn(int $cid): bool
    {
        return isset($this->own[$cid]);
    }

    private function hold(): void
    {
        $hold = $this->waiting > 0 && $this->keeping > 0;
        if ($hold !== $this->held) {
            $this->held = $hold;
            LoopControl::hold($hold ? 1 : -1);
        }
    }

    private function wakeRunnersWhenEmpty(): void
    {
        if ($this->keeping === 0 && $this->runners !== []) {
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

    // ---- calls

    private function call(RevoltCallback $callback, mixed $subject = null): void
    {
        if ($this->microtasks !== []) {
            $this->drain();  // what was queued before comes first
        }
        try {
            $result = $subject === null
                ? ($callback->closure)($callback->id) : ($callback->closure)($callback->id, $subject);
            if ($result !== null) {
                throw InvalidCallbackError::nonNullReturn($callback->id, $callback->closure);
            }
        } catch (\Throwable $error) {
            $this->error($callback->closure, $error);
        }
        FiberLocal::clear();
        if ($this->microtasks !== []) {
            $this->drain();
        }
    }

    /** Runs what was queued; another coroutine goes on where one of them waits. */
    private function drain(): void
    {
        while (isset($this->microtasks[$this->nextMicrotask])) {
            Coroutine::create($this->runMicrotasks);
        }
        $this->microtasks = [];
        $this->nextMicrotask = 0;
        $this->draining = false;
        $this->wakeRunnersWhenEmpty();
    }

    private function runMicrotasks(): void
    {
        $cid = Coroutine::getCid();
        $this->own[$cid] = true;
        while (isset($this->microtasks[$this->nextMicrotask])) {
            $index = $this->nextMicrotask++;
            [$closure, $arguments] = $this->microtasks[$index];
            unset($this->microtasks[$index]);
            try {
                // They are not held here while it runs.
                $closure(...$arguments, ...($arguments = []));
            } catch (\Throwable $error) {
                $this->error($closure, $error);
            }
            FiberLocal::clear();
        }
        unset($this->own[$cid]);
    }

    private function error(\Closure $closure, \Throwable $error): void
    {
        if ($error instanceof \Swoole\ExitException) {
            throw $error;
        }
        if ($this->errorHandler !== null) {
            try {
                ($this->errorHandler)($error);
                return;
            } catch (\Throwable $next) {
                $uncaught = $next instanceof UncaughtThrowable
                    ? $next : UncaughtThrowable::throwingErrorHandler($this->errorHandler, $next);
            }
        } else {
            $uncaught = $error instanceof UncaughtThrowable ? $error : UncaughtThrowable::throwingCallback($closure, $error);
        }
        if ($this->running === 0) {
            unset($this->own[Coroutine::getCid()]);
            throw $uncaught;  // ends the script, as any uncaught exception of a coroutine
        }
        $this->uncaught = $uncaught;
        $this->wakeRunners();
    }
}
