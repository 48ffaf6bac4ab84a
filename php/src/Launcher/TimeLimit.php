<?php

declare(strict_types=1);

namespace Stampede\Launcher;

use Closure;
use Swoole\Coroutine;
use Swoole\Timer;

use function Stampede\limit_computing;

/** The time of one request, which its coroutine spends waiting or computing: at the end of either there is a response, and the code is stopped where it is. */
final class TimeLimit
{
    private const AGAIN = 1.0; // seconds, for code to come to its end

    private readonly int $coroutine;
    private int $timer;
    private bool $isOver = false;
    private bool $isWarned = false; // while it computed

    /** @param Closure(TimeLimitExceeded): void $respond called in time, also when the code does not end then */
    public function __construct(private readonly float $seconds, private readonly Closure $respond)
    {
        $this->coroutine = Coroutine::getCid();
        $this->timer = $this->endWaitingAfter($seconds);
        limit_computing($seconds, $this->endComputing(...));
    }

    public function isOver(): bool
    {
        return $this->isOver;
    }

    /** The request has ended. */
    public function lift(): void
    {
        Timer::clear($this->timer);
        limit_computing(0);
    }

    private function endWaitingAfter(float $seconds): int
    {
        return (int) Timer::after(max(1, (int) ($seconds * 1000)), $this->endWaiting(...));
    }

    private function endWaiting(): void
    {
        if (!$this->isOver) {
            $this->isOver = true;
            ($this->respond)(new TimeLimitExceeded($this->seconds, array_values(Coroutine::getBackTrace($this->coroutine, DEBUG_BACKTRACE_IGNORE_ARGS) ?: [])));
        }
        Coroutine::cancel($this->coroutine, true);
    }

    /** In the request's coroutine, between two steps of its code. */
    private function endComputing(): void
    {
        if ($this->isWarned) { // and goes on computing: now it is stopped by a fatal error, as nothing can catch that
            posix_kill(posix_getpid(), SIGXCPU);
            return;
        }
        $this->isWarned = true;
        limit_computing(self::AGAIN, $this->endComputing(...));
        if ($this->isOver) { // a wait was ended a moment ago, the code comes to its end
            return;
        }
        $this->isOver = true;
        // The error page may wait for a file: that is not to be ended by the timer, which is due now, too.
        Timer::clear($this->timer);
        $this->timer = $this->endWaitingAfter(self::AGAIN);
        $exceeded = new TimeLimitExceeded($this->seconds, debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS));
        ($this->respond)($exceeded);
        throw $exceeded;
    }
}
