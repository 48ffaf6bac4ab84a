<?php

declare(strict_types=1);

namespace Stampede\DevTools;

use Stampede\Exception\BootException;
use Swoole\Atomic\Long;

/**
 * Source files that have changed since the generation before was booted. Scripts of a plain application are compiled when a request needs them: a
 * reload would put a file in force that nobody has compiled before.
 */
final readonly class ChangedSources
{
    private Long $since; // Unix time; 0: there was no generation before

    public function __construct(private SourceTree $tree)
    {
        $this->since = new Long(0);
    }

    /** In each boot process. @throws BootException for the first file that cannot be compiled; the files of before count again the next time */
    public function check(): void
    {
        $now = time();
        $since = $this->since->get();
        $fault = $since === 0 ? null : Linter::fault($this->tree->changedSince($since));
        if ($fault !== null) {
            throw new BootException($fault->sentence);
        }
        $this->since->set($now);
    }
}
