<?php

declare(strict_types=1);

namespace Stampede\Supervisor;

use Swoole\Atomic\Long;

/** The process of a command, known to all processes of the server that are forked later: what has started the command may be killed while it runs. */
final readonly class CommandProcess
{
    private const NUMBER_BITS = 22; // of the largest number that Linux gives a process

    /** When the process began, and its number: another one may have the number later. 0: none is known. */
    private Long $known;

    public function __construct()
    {
        $this->known = new Long(0);
    }

    public function note(int $pid): void
    {
        $this->known->set(self::identity($pid));
    }

    public function forget(): void
    {
        $this->known->set(0);
    }

    /** Its number, 0 when it has ended. */
    public function pid(): int
    {
        $known = $this->known->get();
        $pid = $known & (1 << self::NUMBER_BITS) - 1;
        return $pid !== 0 && self::identity($pid) === $known ? $pid : 0;
    }

    private static function identity(int $pid): int
    {
        $begin = ProcessStat::begin($pid);
        return $begin === null ? 0 : $begin << self::NUMBER_BITS | $pid;
    }
}
