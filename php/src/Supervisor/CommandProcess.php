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
        $stat = (string) @file_get_contents("/proc/{$pid}/stat");
        // The second field is the name, in parentheses, and may have any characters. The state is the third field, the time of the start the 22nd.
        $fields = explode(' ', ltrim((string) strrchr($stat, ')'), ') '));
        return count($fields) < 20 || in_array($fields[0], ['Z', 'X'], true) ? 0 : (int) $fields[19] << self::NUMBER_BITS | $pid;
    }
}
