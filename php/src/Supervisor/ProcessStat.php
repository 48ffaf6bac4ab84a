<?php

declare(strict_types=1);

namespace Stampede\Supervisor;

/** What the kernel says of a process. */
final class ProcessStat
{
    /** @return int|null when it began, in ticks since the machine did; null when it has ended, although its parent may not have asked for it yet */
    public static function begin(int $pid): ?int
    {
        $text = (string) @file_get_contents("/proc/{$pid}/stat");
        // The second field is the name, in parentheses, and may have any characters. The state is the third field, the time of the start the 22nd.
        $fields = explode(' ', ltrim((string) strrchr($text, ')'), ') '));
        return count($fields) < 20 || in_array($fields[0], ['Z', 'X'], true) ? null : (int) $fields[19];
    }
}
