<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Closure;
use Stampede\Launcher\LaunchException;
use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\Socket;
use Swoole\Timer;

/** The worker's side of its Forks: forked processes that wait for requests. */
final class ForkStock
{
    public const CONTROL = 'Z'; // and the length of the path that follows: where the worker awaits the processes
    public const MOST = 16; // processes of one worker

    private const WAITING = 3;
    private const HELLO_TIME = 5.0;
    private const TAKE_TIME = 30.0;
    private const PAUSE = 200; // milliseconds, after a process has ended that never had a request
    private const PATIENCE = 0.001;
    private const PATIENCE_WITH_SHORT = 0.01; // one that waits for nothing gives its process back soon
    private const MOSTLY = 0.5; // of the requests are short
    private const NEARLY_ALL = 0.9;
    private const TRIM = 1000; // milliseconds that more processes than WAITING may be idle

    private ?Socket $listener = null;
    private ?Socket $control = null;
    /** @var list<ForkedPeer> the last one first: its memory is in the processor's caches */
    private array $idle = [];
    private int $leastIdle = 0; // since the last trim()
    private ?int $trimming = null; // a timer
    private Channel $asked; // of requests that wait for a process
    private int $waiting = 0; // of them
    private int $urgent = 0; // of those, because there is no idle process
    private string $path;
    private int $total = 0;
    private int $busy = 0;
    private float $short = 0.0; // which share of the last requests was
    /** @var array<int, ForkedPeer> by number; the last one last */
    private array $taken = [];
    private bool $closed = false;
    /** @var array<string, true> */
    private array $told = [];

    /**
     * @param int $atOnce requests that have a processor each
     * @param Closure(): void $lost the process that forks has ended
     */
    public function __construct(
        private readonly ForkProgram $program,
        private readonly int $atOnce,
        private readonly Closure $lost,
    ) {
        $this->asked = new Channel();
    }

    /**
     * @return bool false when the program that has booted the application is gone
     * @throws LaunchException
     */
    public function open(): bool
    {
        $this->path = ForkProgram::newPath();
        $this->listener = ForkProgram::listenAt($this->path, self::MOST * 2);
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
        Coroutine::create($this->listenToForks(...));
        Coroutine::create($this->accept(...));
        $this->refill();
        return true;
    }

    /** A process for a request: for handOn(), give() or lose(). */
    public function take(): ForkedPeer
    {
        $until = microtime(true) + self::TAKE_TIME;
        for (;;) {
            $peer = $this->closed ? null : $this->soonFree() ?? $this->idle() ?? $this->urgently($until);
            if ($peer === null) {
                throw new LaunchException('No process for this request: ' . ($this->closed ? 'the worker is ending.' : 'none was free in time.'));
            }
            if ($peer->isAhead || $peer->socket->checkLiveness()) {
                unset($this->taken[$peer->pid]);
                $this->taken[$peer->pid] = $peer;
                $peer->since = microtime(true);
                $this->refill();
                return $peer;
            }
            $this->busy--;
        }
    }

    /**
     * Gives a process the next request while it goes back from the one before, which saves it a wait. Only where it is certain that the next one
     * need not wait for long: when nearly all requests were short.
     *
     * @return bool false when there is none, or none that should go to this process: it is still the caller's
     */
    public function handOn(ForkedPeer $peer): bool
    {
        if ($this->closed || $this->short < self::NEARLY_ALL || $this->busy > $this->atOnce || $this->waiting === 0) {
            return false;
        }
        $peer->isAhead = true;
        $this->giveToWaiting($peer);
        return true;
    }

    /** After its request the process is as it was before. */
    public function give(ForkedPeer $peer): void
    {
        unset($this->taken[$peer->pid]);
        $this->busy--;
        $this->offer($peer);
    }

    /** The process ends. */
    public function lose(ForkedPeer $peer): void
    {
        $peer->socket->close();
        $this->busy--;
        $this->refill();
        $this->serveWaiting();
    }

    public function note(bool $wasShort): void
    {
        $this->short += ((int) $wasShort - $this->short) / 16;
    }

    /** Each reason once: requests of one kind have the same. */
    public function tell(string $obstacle): void
    {
        if ($obstacle !== '' && !isset($this->told[$obstacle]) && count($this->told) < self::MOST) {
            $this->told[$obstacle] = true;
            fwrite(STDERR, "A request needs a process of its own, which costs more than one that is put back after its request: {$obstacle}.\n");
        }
    }

    public function kill(int $pid): void
    {
        $this->command(Forks::KILL, $pid);
    }

    /** Ends all processes. */
    public function close(): void
    {
        if ($this->closed) {
            return;
        }
        $this->closed = true;
        if ($this->trimming !== null) {
            Timer::clear($this->trimming);
        }
        @unlink($this->path);
        $this->listener?->close();
        $this->control?->close();
        foreach (array_splice($this->idle, 0) as $peer) {
            $peer->socket->close();
        }
        $this->asked->close();
    }

    private function accept(): void
    {
        while (!$this->closed && ($socket = $this->listener?->accept(-1)) instanceof Socket) {
            $hello = (string) $socket->recvAll(5, self::HELLO_TIME);
            if (strlen($hello) === 5 && $hello[0] === ForkedChild::READY) {
                $this->offer(new ForkedPeer(ForkProgram::number($hello), $socket));
            } else {
                $socket->close();
            }
        }
    }

    private function listenToForks(): void
    {
        while (strlen($head = (string) $this->control?->recvAll(5, -1)) === 5) {
            $pid = ForkProgram::number($head);
            $this->total--;
            if (isset($this->taken[$pid])) {
                // A program that the application has started may hold the other side open: what was sent is read, then comes the end.
                $this->taken[$pid]->socket->shutdown(STREAM_SHUT_RD);
                unset($this->taken[$pid]);
                $this->refill();
            } else {
                Timer::after(self::PAUSE, $this->refill(...));
            }
        }
        if (!$this->closed) {
            $this->close();
            ($this->lost)();
        }
    }

    private function refill(): void
    {
        while (!$this->closed && $this->total < self::MOST && $this->total - $this->busy < self::WAITING) {
            $this->total++;
            $this->command(Forks::FORK, 0);
        }
    }

    private function offer(ForkedPeer $peer): void
    {
        if ($this->closed) {
            $peer->socket->close();
            return;
        }
        $this->idle[] = $peer;
        $this->serveWaiting();
        if (count($this->idle) > self::WAITING) {
            $this->trimming ??= Timer::after(self::TRIM, $this->trim(...)) ?: null;
        }
    }

    /** Short requests wait for one of the processes that have a processor, see soonFree(), rather than going to one more. */
    private function serveWaiting(): void
    {
        $waits = $this->urgent === 0 && $this->short > self::MOSTLY && $this->busy >= $this->atOnce;
        if (!$this->closed && !$waits && $this->waiting > 0 && ($peer = $this->idle()) !== null) { // busy from now on, for requests that come before the waiting one goes on
            $this->giveToWaiting($peer);
        }
    }

    private function giveToWaiting(ForkedPeer $peer): void
    {
        $this->waiting--; // the one that gets it, before it goes on
        $this->asked->push($peer);
    }

    private function await(float $seconds): ?ForkedPeer
    {
        $this->waiting++;
        $peer = null;
        try {
            return $peer = $this->asked->pop($seconds) ?: null;
        } finally {
            $this->waiting -= $peer === null ? 1 : 0;
        }
    }

    /**
     * While a process works, waits a moment for it: short requests are faster one after another in one process, whose memory is in the
     * processor's caches, than side by side in many. One that works for longer than that is not waited for.
     */
    private function soonFree(): ?ForkedPeer
    {
        if ($this->busy < $this->atOnce || $this->taken === []) {
            return null;
        }
        $patience = self::PATIENCE;
        if ($this->short > self::MOSTLY) {
            $patience = $this->taken[array_key_last($this->taken)]->since + self::PATIENCE_WITH_SHORT - microtime(true);
        }
        return $patience < self::PATIENCE ? null : $this->await($patience);
    }

    private function urgently(float $until): ?ForkedPeer
    {
        $this->urgent++;
        try {
            return $this->await(max(0.001, $until - microtime(true)));
        } finally {
            $this->urgent--;
        }
    }

    private function idle(): ?ForkedPeer
    {
        $peer = array_pop($this->idle);
        $this->busy += $peer === null ? 0 : 1;
        $this->leastIdle = min($this->leastIdle, count($this->idle));
        return $peer;
    }

    /** After a peak: what was not needed since the last time ends. */
    private function trim(): void
    {
        $this->trimming = null;
        for ($spare = min($this->leastIdle, count($this->idle)) - self::WAITING; $spare > 0; $spare--) {
            array_shift($this->idle)->socket->close();
        }
        $this->leastIdle = count($this->idle);
        if (!$this->closed && $this->leastIdle > self::WAITING) {
            $this->trimming = Timer::after(self::TRIM, $this->trim(...)) ?: null;
        }
    }

    private function command(string $command, int $pid): void
    {
        if (!$this->closed) {
            $this->control?->sendAll(pack('aN', $command, $pid));
        }
    }
}
