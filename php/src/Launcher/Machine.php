<?php

declare(strict_types=1);

namespace Stampede\Launcher;

/** What this process may use of the machine, as its cgroup limits it. */
final readonly class Machine
{
    private const MEMORY_OF_WORKER = 64 << 20;

    public function __construct(public float $processors, public ?int $memory) {}

    public static function here(string $cgroup = '/sys/fs/cgroup'): self
    {
        return new self(min((float) swoole_cpu_num(), self::quota($cgroup) ?? INF), self::limit($cgroup));
    }

    /** One for each processor, at least one, as long as each can have 64 MiB. */
    public function workers(): int
    {
        $workers = max(1, (int) ceil($this->processors));
        return $this->memory === null ? $workers : max(1, min($workers, intdiv($this->memory, self::MEMORY_OF_WORKER)));
    }

    public function __toString(): string
    {
        $text = sprintf('%s processor%s', rtrim(rtrim(sprintf('%.1f', $this->processors), '0'), '.'), $this->processors === 1.0 ? '' : 's');
        return $this->memory === null ? $text : sprintf('%s, %d MiB', $text, $this->memory >> 20);
    }

    private static function quota(string $cgroup): ?float
    {
        $parts = explode(' ', trim((string) @file_get_contents("{$cgroup}/cpu.max")));
        return count($parts) === 2 && is_numeric($parts[0]) && (int) $parts[1] > 0 ? (float) $parts[0] / (int) $parts[1] : null;
    }

    private static function limit(string $cgroup): ?int
    {
        $text = trim((string) @file_get_contents("{$cgroup}/memory.max"));
        return ctype_digit($text) ? (int) $text : null;
    }
}
