<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Closure;
use Stampede\Claim;
use Stampede\Launcher\LaunchException;
use Swoole\Coroutine;
use Swoole\Coroutine\Socket;
use Swoole\Timer;

/** The worker's side of its Forks: forked processes that wait for requests. */
final class ForkStock
{
    public const CONTROL = 'Z'; // and the length of the path that follows: where the worker awaits the processes
    private const MOST_TOLD = 16; // reasons

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
    /** @var array<int, WaitingRequest> the first one first */
    private array $waiting = [];
    private int $urgent = 0; // of those, because there is no idle process
    private int $number = 0; // of the next one that waits
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
     * @param int $most processes
     * @param int $atOnce requests that have a processor each
     * @param Closure(): void $lost the process that forks has ended
     */
    public function __construct(
        private readonly ForkProgram $program,
        private readonly int $most,
        private readonly int $atOnce,
        private readonly Closure $lost,
    ) {}

    /**
     * @return bool false when the program that has booted the application is gone
     * @throws LaunchException
     */
    public function open(): bool
    {
        $this->path = ForkProgram::newPath();
        $this->listener = ForkProgram::listenAt($this->path, $this->most * 2);
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

    /**
     * A place at a process: for awaitTurn(), and when that has come for handOn(), give() or lose(), else for leave().
     *
     * @param bool $isSmall whether the request may come after another one
     */
    public function take(bool $isSmall): ForkedPlace
    {
        return $this->after($isSmall) ?? $this->first(true, $isSmall);
    }

    /** At a process that is free, if need be at a new one. */
    public function takeWithoutPatience(): ForkedPlace
    {
        return $this->first(false, false);
    }

    /** Waits until the process is the request's own, while those before it are short. @return bool false when the request was taken back */
    public function awaitTurn(ForkedPlace $place): bool
    {
        $peer = $place->peer;
        while (!$place->isFirst && !$peer->isLost && !$peer->isStreaming && ($seconds = $peer->since + self::PATIENCE_WITH_SHORT - microtime(true)) > 0) {
            $place->wait($seconds);
        }
        if (!$place->isFirst && $place->takeBack()) {
            return false;
        }
        // Else the process has begun with it: the end of the one before is in the connection already, for the coroutine of that one, which has its own limits.
        while (!$place->isFirst && !$peer->isLost) {
            $place->wait(-1);
        }
        return true;
    }

    /**
     * The first request has a response that comes in pieces, and with a slow client it may take long: those after it are taken back. The process has
     * not begun with them, unless it has all of the response in its connection, which is less than a client is waited for.
     */
    public function beginStream(ForkedPeer $peer): void
    {
        if (!$peer->isStreaming) {
            $peer->isStreaming = true;
            foreach ($peer->ahead as $place) {
                $place->wake();
            }
        }
    }

    /** The request ends before its turn has come. */
    public function leave(ForkedPlace $place): void
    {
        if (!$place->isBack() && !$place->takeBack()) {
            $place->peer->isDoomed = true;
            $place->leaveQueue();
            $this->kill($place->peer->pid);
        }
    }

    /**
     * Gives a process its next request: one that it was sent already, or one that is sent to it while it goes back.
     *
     * @return bool false when there is none, or none that should go to this process: it is still the caller's
     */
    public function handOn(ForkedPeer $peer): bool
    {
        if ($peer->isDoomed || $peer->isLost) {
            return false;
        }
        if ($peer->ahead !== []) {
            $this->promote($peer);
        } elseif ($this->waiting !== [] && $this->areShort() && $peer->canBeSentMore()) {
            $this->giveToWaiting(new ForkedPlace($peer, true), (int) array_key_first($this->waiting));
        } else {
            return false;
        }
        return true;
    }

    /** After its request the process is as it was before. @return bool false when it is to end: it is still the caller's */
    public function give(ForkedPeer $peer): bool
    {
        if ($peer->isDoomed) {
            return false;
        }
        if ($peer->ahead !== []) {
            $this->promote($peer);
            return true;
        }
        unset($this->taken[$peer->pid]);
        $this->busy--;
        $this->offer($peer);
        return true;
    }

    /** The process ends. */
    public function lose(ForkedPeer $peer): void
    {
        if ($peer->isLost) {
            return;
        }
        $peer->isLost = true;
        $peer->socket->close();
        $this->busy--;
        $ahead = $peer->ahead;
        $this->refill();
        $this->serveWaiting();
        foreach ($ahead as $place) {
            $place->wake();
        }
    }

    public function note(bool $wasShort): void
    {
        $this->short += ((int) $wasShort - $this->short) / 16;
    }

    /** Each reason once: requests of one kind have the same. */
    public function tell(string $obstacle): void
    {
        if ($obstacle !== '' && !isset($this->told[$obstacle]) && count($this->told) < self::MOST_TOLD) {
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
        foreach ($this->waiting as $request) {
            $request->wakeup->wake();
        }
    }

    private function accept(): void
    {
        while (!$this->closed && ($socket = $this->listener?->accept(-1)) instanceof Socket) {
            $claim = Coroutine::waitEvent($socket->fd, SWOOLE_EVENT_READ, self::HELLO_TIME) === false ? null : Claim::receive($socket->fd);
            $hello = (string) $socket->recvAll(5, self::HELLO_TIME);
            if (strlen($hello) === 5 && $hello[0] === ForkedChild::READY) {
                $this->offer(new ForkedPeer(ForkProgram::number($hello), $socket, $claim));
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
                $this->taken[$pid]->hasEnded = true;
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
        while (!$this->closed && $this->total < $this->most && $this->total - $this->busy < self::WAITING) {
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
        $waits = $this->urgent === 0 && $this->short > self::MOSTLY && $this->atWork() >= $this->atOnce;
        if (!$this->closed && !$waits && $this->waiting !== [] && ($place = $this->idle()) !== null) { // busy from now on, for requests that come before the waiting one goes on
            $this->giveToWaiting($place, (int) array_key_first($this->waiting));
        }
    }

    private function giveToWaiting(ForkedPlace $place, int $number): void
    {
        $request = $this->waiting[$number];
        unset($this->waiting[$number]);
        $request->place = $place;
        $request->wakeup->wake();
    }

    private function await(float $seconds, bool $isSmall): ?ForkedPlace
    {
        if ($this->closed) {
            return null;
        }
        $number = $this->number++;
        $request = $this->waiting[$number] = new WaitingRequest($isSmall);
        $goesOn = false;
        try {
            $request->wakeup->wait($seconds);
            $goesOn = true;
            return $request->place;
        } finally {
            unset($this->waiting[$number]);
            if (!$goesOn && $request->place !== null) {
                $this->refuse($request->place);
            }
        }
    }

    /** Its request has ended before it was sent. */
    private function refuse(ForkedPlace $place): void
    {
        if ($place->isFirst) {
            $this->kill($place->peer->pid);
            $this->lose($place->peer);
        } else {
            $place->leaveQueue();
            $place->peer->isSending = false;
        }
    }

    /** @param bool $isPatient whether to wait for a process that is free soon, or to come after its requests */
    private function first(bool $isPatient, bool $isSmall): ForkedPlace
    {
        $until = microtime(true) + self::TAKE_TIME;
        for (;;) {
            $place = $this->closed ? null : ($isPatient ? $this->soonFree($isSmall) : null) ?? $this->idle() ?? $this->urgently($until);
            if ($place === null) {
                throw new LaunchException('No process for this request: ' . ($this->closed ? 'the worker is ending.' : 'none was free in time.'));
            }
            if (!$place->isFirst) {
                return $place;
            }
            if (!$place->peer->isReady || $place->peer->socket->checkLiveness()) {
                $this->begin($place->peer);
                $this->refill();
                return $place;
            }
            $this->busy--;
        }
    }

    /** After the present requests of a process, which saves that a wait, and its memory the ways out of and into the processor's caches. */
    private function after(bool $isSmall): ?ForkedPlace
    {
        if (!$isSmall || $this->urgent > 0 || !$this->areShort($this->atOnce)) {
            return null;
        }
        $earliest = microtime(true) + self::PATIENCE - self::PATIENCE_WITH_SHORT;
        foreach ($this->taken as $peer) {
            if ($peer->since > $earliest && $peer->canBeSentMore()) {
                return new ForkedPlace($peer, false);
            }
        }
        return null;
    }

    /** Nearly all requests were: so it is likely that one that is sent to a busy process need not wait for long. @param int $least atWork() */
    private function areShort(int $least = 0): bool
    {
        if ($this->closed || $this->short < self::NEARLY_ALL) {
            return false;
        }
        $atWork = $this->atWork();
        return $atWork >= $least && $atWork <= $this->atOnce;
    }

    /** Processes whose requests may still be short ones; those of the others mostly wait for something. */
    private function atWork(): int
    {
        $earliest = microtime(true) - self::PATIENCE_WITH_SHORT;
        return count(array_filter($this->taken, static fn (ForkedPeer $peer): bool => $peer->since > $earliest && !$peer->isLost));
    }

    private function begin(ForkedPeer $peer): void
    {
        $peer->since = microtime(true);
        $peer->isStreaming = false;
        unset($this->taken[$peer->pid]);
        if (!$peer->hasEnded) {
            $this->taken[$peer->pid] = $peer;
        }
    }

    /** Its next request is the first one now, and those that wait come after it. */
    private function promote(ForkedPeer $peer): void
    {
        $place = $peer->ahead[0];
        $place->becomeFirst();
        $this->begin($peer);
        foreach ($this->waiting as $number => $request) {
            if ($this->urgent > 0 || !$peer->canBeSentMore() || !$this->areShort()) {
                break;
            }
            if ($request->isSmall && isset($this->waiting[$number])) {
                $this->giveToWaiting(new ForkedPlace($peer, false), $number);
            }
        }
        $place->wake();
    }

    /**
     * While a process works, waits a moment for it: short requests are faster one after another in one process, whose memory is in the
     * processor's caches, than side by side in many. One that works for longer than that is not waited for.
     */
    private function soonFree(bool $isSmall): ?ForkedPlace
    {
        if ($this->taken === [] || $this->atWork() < $this->atOnce) {
            return null;
        }
        $patience = self::PATIENCE;
        if ($this->short > self::MOSTLY) {
            $patience = $this->taken[array_key_last($this->taken)]->since + self::PATIENCE_WITH_SHORT - microtime(true);
        }
        return $patience < self::PATIENCE ? null : $this->await($patience, $isSmall);
    }

    private function urgently(float $until): ?ForkedPlace
    {
        $this->urgent++;
        try {
            return $this->await(max(0.001, $until - microtime(true)), false);
        } finally {
            $this->urgent--;
        }
    }

    private function idle(): ?ForkedPlace
    {
        $peer = array_pop($this->idle);
        $this->busy += $peer === null ? 0 : 1;
        $this->leastIdle = min($this->leastIdle, count($this->idle));
        return $peer === null ? null : new ForkedPlace($peer, true);
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
