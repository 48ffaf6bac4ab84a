<?php

declare(strict_types=1);

namespace Stampede\Process;

use Closure;
use Stampede\Exception\LaunchException;
use Stampede\Loop\BackgroundTimer;
use Swoole\Coroutine;
use Swoole\Coroutine\Socket;
use Swoole\Http\Response;
use Swoole\Timer;

use function Stampede\has_client_left;

/** A worker's processes for requests: as many as its requests need at once, made by a process that forks for this worker alone. */
final class ChildPool
{
    private const KEPT = 3; // idle ones that stay
    private const NO_WAIT = 5_000_000; // nanoseconds
    private const PATIENCE = 0.002; // seconds that a request waits for one of the requests with a processor, before it is handled beside them, where most are shorter
    private const IDLE_TIME = 10_000; // milliseconds, after which those that were not needed end
    private const HELLO_TIME = 5.0; // seconds
    private const START_TIME = 30.0; // seconds that a request waits for a process at most
    private const PAUSE = 200; // milliseconds until another one is made for one that ended before it had a request
    private ?Socket $listener = null;
    private ?Socket $control = null;
    /** @var array<int, ChildConnection> by number, all that are connected */
    private array $children = [];
    /** @var list<ChildConnection> the last one first: its memory is in the processor's caches */
    private array $idle = [];
    private int $leastIdle = 0; // since the last trim()
    private ?int $trimming = null; // a timer
    /** @var array<int, Wakeup> requests that wait for a process, the first one first */
    private array $waiting = [];
    private int $number = 0; // of the next one that waits
    private float $usualTime = 0.0; // seconds that a process has a request
    private int $starting = 0; // processes that were asked for
    /** @var array<int, true> by number: their connections are closed, and they end */
    private array $dropped = [];
    private bool $isClosed = false;
    private bool $isResting = false;
    private bool $isAccepting = false; // while it rests, for as long as processes are starting
    /** @var array<int, true> by number: their clients have left, and their scripts go on */
    private array $abandoned = [];
    /** @var list<int> coroutines that listen to the processes */
    private array $listening = [];
    private string $path = '';

    /**
     * @param int $most processes
     * @param int $spare idle ones, or such that are starting, there are always
     * @param int $atOnce requests that have a processor each
     * @param Closure(): void $lost the process that forks has ended
     */
    public function __construct(
        private readonly ZygoteClient $program,
        private readonly int $most,
        private readonly int $spare,
        private readonly int $atOnce,
        private readonly Closure $lost,
    ) {}

    /**
     * @return bool false when the program that forks is gone
     * @throws LaunchException
     */
    public function open(): bool
    {
        $this->path = ZygoteClient::newPath();
        $this->listener = ZygoteClient::listenAt($this->path, $this->most * 2);
        try {
            $this->control = $this->program->connect($this->path);
        } finally {
            if ($this->control === null) {
                $this->close();
            }
        }
        if ($this->control === null) {
            return false;
        }
        $this->listening = [(int) Coroutine::create($this->listenToForks(...)), (int) Coroutine::create($this->acceptAll(...))];
        for ($asked = max(1, $this->spare, $this->starting), $this->starting = 0; $asked > 0 && $this->mayStart(); $asked--) { // by requests that came meanwhile
            $this->start();
        }
        return true;
    }

    /**
     * For a request that has a response of its own: when its client has left while it waited, nothing of it runs, and the response is 503.
     *
     * @throws LaunchException when none is free in time
     */
    public function takeFor(Response $response): ?ChildConnection
    {
        $began = hrtime(true);
        $child = $this->take();
        if (hrtime(true) - $began < self::NO_WAIT || !has_client_left($response)) {
            return $child;
        }
        $this->give($child);
        $response->status(503);
        $response->header('Retry-After', '1');
        $response->end();
        return null;
    }

    /** @throws LaunchException when none is free in time */
    private function take(): ChildConnection
    {
        $child = null;
        if ($this->usualTime < self::PATIENCE && count($this->children) - count($this->idle) >= $this->atOnce) {
            $child = $this->await(self::PATIENCE);
        }
        $child ??= $this->idle();
        if ($child === null) {
            count($this->waiting) >= $this->starting && $this->mayStart() && $this->start();
            $this->isResting && $this->acceptStarted();
            $child = $this->await(self::START_TIME);
        }
        $this->spare();
        return $child ?? throw new LaunchException('No process for this request has started within ' . self::START_TIME . ' seconds.');
    }

    /** The request has ended, the process takes another one. */
    public function give(ChildConnection $child): void
    {
        $this->usualTime += (microtime(true) - $child->since - $this->usualTime) / 16;
        if ($this->isClosed) {
            $this->drop($child);
        } else {
            $this->offer($child);
        }
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
            $this->waiting !== [] && $this->mayStart() && $this->start();
            $this->spare();
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
            $this->command(WorkerZygote::KILL, $child->pid);
            $killed();
        });
    }

    public function kill(ChildConnection $child): void
    {
        $this->command(WorkerZygote::KILL, $child->pid);
        $this->drop($child);
    }

    /** The worker is on its way out: nothing here keeps it, and a request of a connection that is still open is handled as before. */
    public function rest(): void
    {
        $this->isResting = true;
        array_map(Coroutine::cancel(...), array_splice($this->listening, 0));
    }

    /** Idle processes end, others with their requests. */
    public function close(): void
    {
        if ($this->isClosed) {
            return;
        }
        $this->isClosed = true;
        @unlink($this->path);
        $this->listener?->close();
        foreach (array_splice($this->idle, 0) as $child) {
            $this->drop($child);
        }
        $this->control?->close();
        foreach ($this->waiting as $wakeup) {
            $wakeup->wake();
        }
    }

    private function mayStart(): bool
    {
        return count($this->children) + count($this->abandoned) + $this->starting < $this->most;
    }

    private function spare(): void
    {
        while (!$this->isClosed && !$this->isResting && count($this->idle) + $this->starting < $this->spare && $this->mayStart()) {
            $this->start();
        }
    }

    private function start(): void
    {
        $this->starting++;
        $this->command(WorkerZygote::FORK, 0);
    }

    private function acceptAll(): void
    {
        while (!$this->isClosed && $this->accept(-1) && !$this->isResting) {
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

    private function accept(float $seconds): bool
    {
        $socket = $this->listener?->accept($seconds);
        if (!$socket instanceof Socket) {
            return false;
        }
        $hello = (string) $socket->recvAll(5, self::HELLO_TIME);
        if (strlen($hello) !== 5 || $hello[0] !== ChildConnection::HELLO) {
            $socket->close();
            return true;
        }
        $child = new ChildConnection(ZygoteClient::number($hello), $socket);
        $this->starting = max(0, $this->starting - 1);
        $this->children[$child->pid] = $child;
        $this->offer($child);
        return true;
    }

    private function listenToForks(): void
    {
        while (strlen($head = (string) $this->control?->recvAll(5, -1)) === 5) {
            $pid = ZygoteClient::number($head);
            $child = $this->children[$pid] ?? null;
            if ($child === null) {
                $this->noteEnd($pid);
                continue;
            }
            $child->hasEnded = true;
            if ($child->state === ChildState::Idle) { // killed by somebody
                $this->idle = array_values(array_filter($this->idle, static fn (ChildConnection $idle): bool => $idle !== $child));
                $this->drop($child);
                Timer::after(self::PAUSE, fn () => $this->isClosed || $this->children !== [] || $this->start());
            } else {
                $child->noteEnd();
            }
        }
        if (!$this->isClosed && !$this->isResting) {
            $this->close();
            ($this->lost)();
        }
    }

    /** @param int $pid of a process that has no connection; 0: the fork has failed */
    private function noteEnd(int $pid): void
    {
        if (isset($this->abandoned[$pid])) {
            unset($this->abandoned[$pid]);
        } elseif (!isset($this->dropped[$pid])) {
            $this->starting = max(0, $this->starting - 1);
            Timer::after(self::PAUSE, $this->startForWaiting(...));
            return;
        }
        unset($this->dropped[$pid]);
        $this->startForWaiting();
    }

    private function startForWaiting(): void
    {
        $this->waiting !== [] && !$this->isClosed && $this->mayStart() && $this->start();
        $this->spare();
    }

    private function offer(ChildConnection $child): void
    {
        $child->state = ChildState::Idle;
        $this->idle[] = $child;
        foreach ($this->waiting as $wakeup) {
            $wakeup->wake();
            break;
        }
        if (count($this->idle) > self::KEPT) {
            $this->trimming ??= BackgroundTimer::after(self::IDLE_TIME, $this->trim(...));
        }
    }

    private function idle(): ?ChildConnection
    {
        $child = array_pop($this->idle);
        if ($child !== null) {
            $child->state = ChildState::Busy;
            $child->since = microtime(true);
            $this->leastIdle = min($this->leastIdle, count($this->idle));
        }
        return $child;
    }

    /** @return ChildConnection|null none has become free in time */
    private function await(float $seconds): ?ChildConnection
    {
        $number = $this->number++;
        $this->waiting[$number] = $wakeup = new Wakeup();
        try {
            $until = microtime(true) + $seconds;
            while (!$this->isClosed && ($left = $until - microtime(true)) > 0) {
                $wakeup->wait($left);
                if (($child = $this->idle()) !== null) {
                    return $child;
                }
            }
            return null;
        } finally {
            unset($this->waiting[$number]);
        }
    }

    /** After a peak: what was not needed since the last time ends. */
    private function trim(): void
    {
        $this->trimming = null;
        for ($spare = min($this->leastIdle, count($this->idle)) - self::KEPT; $spare > 0; $spare--) {
            $this->drop(array_shift($this->idle));
        }
        $this->leastIdle = count($this->idle);
        if (!$this->isClosed && $this->leastIdle > self::KEPT) {
            $this->trimming = BackgroundTimer::after(self::IDLE_TIME, $this->trim(...));
        }
    }

    private function command(string $command, int $pid): void
    {
        $this->control?->sendAll(pack('aN', $command, $pid));
    }
}
