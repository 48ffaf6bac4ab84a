<?php

declare(strict_types=1);

namespace Stampede\Doctor;

use Stampede\Config\Machine;

/** What the kernel and the control groups let a server have. */
final readonly class LimitsCheck implements Check
{
    private const FILES = 65536; // descriptors: each connection has one
    private const FEW_FILES = 1024;
    private const QUEUE = 4096; // connections that wait to be accepted
    private const MAPPINGS = 65530; // each stack of a coroutine is one or two
    private const SMALL = 256 << 20; // bytes of memory

    /** @param string $proc where the kernel's settings are @param array{int, int}|null $files soft and hard limit; null: those of this process */
    public function __construct(private Machine $machine, private string $proc = '/proc/sys', private ?array $files = null) {}

    public function subject(): string
    {
        return 'limits';
    }

    public function findings(): array
    {
        return array_values(array_filter([$this->files(), $this->queue(), $this->mappings(), $this->memory()]));
    }

    private function files(): Finding
    {
        [$soft, $hard] = $this->files ?? self::filesOfThisProcess();
        $how = $hard >= self::FILES ? 'LimitNOFILE=65536 in the unit of systemd, or "ulimit -n 65536" before the start' : 'LimitNOFILE=65536 in the unit of systemd, or a line in /etc/security/limits.conf';
        return match (true) {
            $soft < self::FEW_FILES => Finding::problem("{$soft} open files at most", "Raise the limit: {$how}. Each connection is one, and so is each file."),
            $soft < self::FILES => Finding::advice("{$soft} open files at most", "Raise the limit for more connections: {$how}."),
            default => Finding::good("{$soft} open files"),
        };
    }

    /** @return array{int, int} */
    private static function filesOfThisProcess(): array
    {
        $limits = posix_getrlimit() ?: [];
        $number = static fn (string $name): int => is_numeric($limits[$name] ?? null) ? (int) $limits[$name] : PHP_INT_MAX;
        return [$number('soft openfiles'), $number('hard openfiles')];
    }

    private function queue(): ?Finding
    {
        $queue = $this->number('net/core/somaxconn');
        return $queue !== null && $queue < self::QUEUE ? Finding::advice("net.core.somaxconn is {$queue}", 'sysctl net.core.somaxconn=4096: clients of a burst are refused beyond it.') : null;
    }

    private function mappings(): ?Finding
    {
        $mappings = $this->number('vm/max_map_count');
        return $mappings !== null && $mappings < self::MAPPINGS ? Finding::advice("vm.max_map_count is {$mappings}", 'sysctl vm.max_map_count=262144: each coroutine has a stack of its own.') : null;
    }

    private function memory(): Finding
    {
        $workers = $this->machine->workers();
        $text = "{$this->machine}: {$workers} worker" . ($workers === 1 ? '' : 's');
        return $this->machine->memory !== null && $this->machine->memory < self::SMALL
            ? Finding::advice($text, 'Give the container 256 MiB or more, or lower --max-memory and --max-body.')
            : Finding::good($text);
    }

    private function number(string $name): ?int
    {
        $text = trim((string) @file_get_contents("{$this->proc}/{$name}"));
        return ctype_digit($text) ? (int) $text : null;
    }
}
