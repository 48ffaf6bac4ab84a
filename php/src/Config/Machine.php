<?php

declare(strict_types=1);

namespace Stampede\Config;

/** What this process may use of the machine, as its control groups and the scheduler limit it. */
final readonly class Machine
{
    private const MEMORY_OF_WORKER = 64 << 20;

    public function __construct(public float $processors, public ?int $memory) {}

    public static function here(ControlGroup $group = new ControlGroup()): self
    {
        return new self(min((float) self::processorsAllowed(), $group->processors() ?? INF), $group->memory());
    }

    /** One for each processor, at least one, as long as each can have 64 MiB. */
    public function workers(): int
    {
        $workers = max(1, (int) ceil($this->processors));
        return $this->memory === null ? $workers : max(1, min($workers, intdiv($this->memory, self::MEMORY_OF_WORKER)));
    }

    /** How many processes of one of so many workers have a processor each, when the workers themselves have a quarter of the processors. */
    public function processesAtOnce(int $workers): int
    {
        return max(1, (int) ($this->processors * 0.75 / $workers));
    }

    /** The same of processes for scripts: a worker does little for these, and one more has something to do while the worker passes a response on. */
    public function scriptsAtOnce(int $workers): int
    {
        return (int) ceil($this->processors / $workers) + 1;
    }

    public function __toString(): string
    {
        $text = sprintf('%s processor%s', rtrim(rtrim(sprintf('%.1f', $this->processors), '0'), '.'), $this->processors === 1.0 ? '' : 's');
        return $this->memory === null ? $text : sprintf('%s, %d MiB', $text, $this->memory >> 20);
    }

    /** Those that the scheduler may give to this process: all, or what taskset, a cpuset or a container leaves. */
    private static function processorsAllowed(): int
    {
        if (preg_match('/^Cpus_allowed:\s*([0-9a-f,]+)/m', (string) @file_get_contents('/proc/self/status'), $mask) !== 1) {
            return swoole_cpu_num();
        }
        $bits = array_map(static fn (string $digit): int => substr_count(decbin((int) hexdec($digit)), '1'), str_split(str_replace(',', '', $mask[1])));
        return max(1, min(array_sum($bits), swoole_cpu_num()));
    }
}
