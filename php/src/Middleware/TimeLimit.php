<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Closure;
use Stampede\Exception\TimeLimitExceeded;
use Swoole\Coroutine;
use Swoole\Timer;

use function Stampede\computing_time;
use function Stampede\end_limit;
use function Stampede\end_wait;
use function Stampede\limit_computing;

/** The time of one request, which its coroutine spends waiting or computing: at the end of either there is a response, and the code is stopped where it is. */
final class TimeLimit
{
    /** Seconds for code to come to its end, after which a fatal error stops it. The watchdog, whose signal may hit another request of the worker, must be later than that. */
    public const AGAIN = 1;
    private const ALONE = 0.5; // seconds that it must have kept all others of its worker from running
    private const LOOK = 0.1; // seconds between looks for that
    private const LONGEST = 5.0; // seconds after the response for which code that lets others run may go on
    private const PATIENCE = 2.0; // seconds after the response that its place may still be held
    private const PAUSE = 10; // milliseconds between looks for further waits
    private const AT_ONCE = 1000; // waits that are ended one after another, before others have a turn

    private readonly int $coroutine;
    private int $timer;
    private bool $isOver = false;
    private bool $isWarned = false; // while it computed
    private bool $isLifted = false;
    private int $patientUntil = PHP_INT_MAX; // nanoseconds of hrtime()
    private int $longestUntil = PHP_INT_MAX; // the same

    /**
     * @param Closure(TimeLimitExceeded): void $respond called in time, also when the code does not end then
     * @param Closure(): void $giveUp called when the code still goes on a while later
     */
    public function __construct(private readonly float $seconds, private readonly Closure $respond, private readonly Closure $giveUp)
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
        $this->isLifted = true;
        Timer::clear($this->timer);
        limit_computing(0);
        end_limit($this->coroutine, $this->isOver);
    }

    private function endWaitingAfter(float $seconds): int
    {
        return (int) Timer::after(max(1, (int) ($seconds * 1000)), $this->endWaiting(...));
    }

    private function endWaiting(): void
    {
        if (!Coroutine::exists($this->coroutine)) { // a fatal error has ended it
            return;
        }
        if (!$this->isOver) {
            $this->expire();
            ($this->respond)(new TimeLimitExceeded($this->seconds, array_values(Coroutine::getBackTrace($this->coroutine, DEBUG_BACKTRACE_IGNORE_ARGS) ?: [])));
        }
        // Code that has caught the exception may wait again: in a loop, a finally block, a destructor.
        for ($i = 0; $i < self::AT_ONCE && end_wait($this->coroutine); $i++);
        if (!$this->isLifted) {
            $this->timer = (int) Timer::after(self::PAUSE, $this->endWaiting(...));
            $this->giveUpInTime();
        }
    }

    private function expire(): void
    {
        $this->isOver = true;
        $this->longestUntil = hrtime(true) + (int) (self::LONGEST * 1e9);
        $this->patientUntil = hrtime(true) + (int) (self::PATIENCE * 1e9);
    }

    private function giveUpInTime(): void
    {
        if (hrtime(true) > $this->patientUntil) {
            $this->patientUntil = PHP_INT_MAX;
            ($this->giveUp)();
        }
    }

    /** In the request's coroutine or one that it has started, between two steps of its code. */
    private function endComputing(): void
    {
        if ($this->isWarned) { // and goes on computing: now it is stopped by a fatal error, as nothing can catch that
            if (computing_time() < self::ALONE && hrtime(true) < $this->longestUntil) { // it had no processor: others of this worker have computed
                limit_computing(self::LOOK, $this->endComputing(...));
                return;
            }
            posix_kill(posix_getpid(), SIGXCPU);
            return;
        }
        $this->isWarned = true;
        limit_computing(self::AGAIN, $this->endComputing(...));
        if ($this->isOver) { // a wait was ended a moment ago, the code comes to its end
            return;
        }
        $this->expire();
        // The error page may wait for a file: that is not to be ended by the timer, which is due now, too.
        Timer::clear($this->timer);
        $this->timer = $this->endWaitingAfter(self::AGAIN);
        $exceeded = new TimeLimitExceeded($this->seconds, debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS));
        ($this->respond)($exceeded);
        if (Coroutine::getCid() !== $this->coroutine) {
            exit; // an exception that nobody catches would end the worker
        }
        throw $exceeded;
    }
}
