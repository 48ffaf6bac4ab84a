<?php

declare(strict_types=1);

namespace Stampede\Log;

use Swoole\Timer;

use function Stampede\write_log;

/**
 * Where the log of this process goes: its standard error, or in the format JSON past what has taken the place of that, where the standard error is for what
 * others print. Lines that are not urgent are kept for a moment and written together: a system call for each would be a tenth of what a short request costs.
 */
final class LogOutput
{
    private const KEPT_FOR = 50; // milliseconds
    private const MOST_KEPT = 32768; // bytes

    private string $kept = '';
    private int $keptBy = 0; // the process: one that it forks has a copy
    private bool $isTimed = false;

    public static function isJson(): bool
    {
        return ini_get('stampede.log_messages') === 'json';
    }

    /** Behind what was kept. */
    public function write(string $lines): void
    {
        $this->kept === '' || $this->flush();
        self::isJson() ? write_log($lines) : fwrite(STDERR, $lines);
    }

    public function keep(string $line): void
    {
        if ($this->keptBy === 0) {
            $this->keptBy = (int) getmypid();
        }
        $this->kept .= $line;
        if (strlen($this->kept) >= self::MOST_KEPT) {
            $this->flush();
        } elseif (!$this->isTimed) {
            $this->isTimed = true;
            Timer::after(self::KEPT_FOR, function (): void {
                $this->isTimed = false;
                $this->flush();
            });
        }
    }

    /** At the end of the process as well. */
    public function flush(): void
    {
        [$lines, $this->kept] = [$this->kept, ''];
        if ($lines !== '' && $this->keptBy === getmypid()) {
            $this->write($lines);
        }
    }
}
