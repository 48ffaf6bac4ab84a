<?php

declare(strict_types=1);

namespace Stampede\Supervisor;

use Swoole\Coroutine\System;
use Swoole\Timer;

/** The processes of a background command: the one that was started leads a group, and what it has started and not waited for ends with it. */
final class CommandGroup
{
    private const LOOK = 0.02; // seconds between looks for processes that are not our children
    private const MARGIN = 0.5; // seconds that a killed process may take to vanish

    private int $leader = 0; // 0: there is no group
    private bool $isRunning = false; // the leader
    private int $killer = 0; // a timer

    public function __construct(private readonly CommandProcess $known) {}

    /** Those of a command whose starting process was killed. @return bool false when there are none */
    public function takeOver(): bool
    {
        $this->leader = $this->known->pid();
        return $this->isRunning = $this->leader !== 0;
    }

    public function begin(int $leader, bool $isRunning): void
    {
        [$this->leader, $this->isRunning] = [$leader, $isRunning];
        $this->known->note($leader);
    }

    /** Its parent is told of the end of the leader, and that may be another process. */
    public function awaitLeader(): void
    {
        while ($this->known->pid() !== 0) {
            System::sleep(self::LOOK);
        }
        $this->isRunning = false;
    }

    public function noteEndOfLeader(): void
    {
        $this->isRunning = false;
    }

    /** @param float $patience seconds from SIGTERM to SIGKILL; a stop of the server takes the place of what a reload has begun @return bool false when there is no group */
    public function end(float $patience, CommandEnd $why): bool
    {
        if ($this->leader === 0) {
            return false;
        }
        if ($this->killer !== 0) {
            if ($why !== CommandEnd::Stop) {
                return true;
            }
            Timer::clear($this->killer);
        }
        $this->signal(SIGTERM);
        $this->killer = (int) Timer::after((int) ($patience * 1000), $this->kill(...));
        return true;
    }

    /** The leader has ended: what it has left behind has as much time for it, and must not run beside the next start. */
    public function endRest(float $patience, CommandEnd $why): void
    {
        if (!$this->isThere()) {
            return;
        }
        if ($this->killer === 0) {
            $this->end($patience, $why);
        }
        // Where nothing waits for processes whose parent is gone, they stay in the group.
        for ($until = microtime(true) + $patience + self::MARGIN; $this->isThere() && microtime(true) < $until;) {
            System::sleep(self::LOOK);
        }
    }

    public function forget(): void
    {
        $this->leader = 0;
        $this->known->forget();
        if ($this->killer !== 0) {
            Timer::clear($this->killer);
            $this->killer = 0;
        }
    }

    /** @phpstan-impure */
    private function isThere(): bool
    {
        return $this->leader !== 0 && posix_kill(-$this->leader, 0);
    }

    private function kill(): void
    {
        if ($this->leader !== 0) {
            $this->signal(SIGKILL);
        }
    }

    private function signal(int $signal): void
    {
        if (!posix_kill(-$this->leader, $signal) && $this->isRunning) { // it leads no group, or not yet
            posix_kill($this->leader, $signal);
        }
    }
}
