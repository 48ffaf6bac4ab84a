<?php

declare(strict_types=1);

namespace Stampede\Process;

/**
 * PCRE maps memory for machine code, 64 KiB each time that the code of one more pattern does not fit. A process that has done that can be put back only by a
 * look at all its mappings, which costs more than most requests.
 */
final class PatternMemory
{
    private const MOST_PATTERNS = 200;

    /** Afterwards such a piece is new and nearly empty. */
    public static function makeRoom(): void
    {
        $mapped = self::executableBytes();
        for ($i = 0; ini_get('pcre.jit') === '1' && $i < self::MOST_PATTERNS && self::executableBytes() === $mapped; $i++) {
            preg_match("/^{$i}(?:one|two|three|four|five|six|seven|eight|nine|ten){2,5}(?:red|green|blue|yellow|black|white){2,5}$/", '');
        }
    }

    /** Of no file. */
    private static function executableBytes(): int
    {
        $bytes = 0;
        foreach (file('/proc/self/maps') ?: [] as $line) {
            if (preg_match('/^(\w+)-(\w+) ..x. 0+ 00:00 0\s*$/', $line, $part) === 1) {
                $bytes += (int) hexdec($part[2]) - (int) hexdec($part[1]);
            }
        }
        return $bytes;
    }
}
