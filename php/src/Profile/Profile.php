<?php

declare(strict_types=1);

namespace Stampede\Profile;

/** Samples of all workers that were looked at, put together. */
final class Profile
{
    private const OUTSIDE = '[the server itself]'; // its own work, and code that had ended before its stack could be taken

    /** @var list<Frame> */
    public array $frames = [];
    /** @var array<string, Stack> by its frames */
    public array $stacks = [];
    /** Nanoseconds of a processor that the workers have used, as the kernel has counted. */
    public int $used = 0;
    public float $seconds = 0.0;
    /** @var array<string, true> */
    private array $workers = [];
    /** @var array<string, int> */
    private array $numbers = [];

    public function __construct(public readonly Mode $mode, public readonly float $startedAt) {}

    /** @param array{cpu: int, outside: array{int, int}, frames: list<array{string, string, int}>, stacks: list<array{int, int, list<int>}>} $piece what a worker has sent */
    public function add(string $worker, array $piece): void
    {
        $this->workers[$worker] = true;
        $this->used += $piece['cpu'];
        $numbers = array_map(fn (array $frame): int => $this->number(new Frame(...$frame)), $piece['frames']);
        foreach ($piece['stacks'] as [$cpu, $wall, $frames]) {
            $this->count(array_map(static fn (int $number): int => $numbers[$number], $frames), $cpu, $wall);
        }
        if ($piece['outside'][1] > 0) {
            $this->count([$this->number(new Frame(self::OUTSIDE, '', 0))], ...$piece['outside']);
        }
    }

    public function workers(): int
    {
        return count($this->workers);
    }

    public function weight(Stack $stack): int
    {
        return $this->mode === Mode::Cpu ? $stack->cpu : $stack->wall;
    }

    /** @return list<Stack> that have a weight, the heaviest first */
    public function heaviest(): array
    {
        $stacks = array_values(array_filter($this->stacks, fn (Stack $stack): bool => $this->weight($stack) > 0));
        usort($stacks, fn (Stack $a, Stack $b): int => $this->weight($b) <=> $this->weight($a));
        return $stacks;
    }

    private function number(Frame $frame): int
    {
        $key = "{$frame->name}\0{$frame->file}\0{$frame->line}";
        if (!isset($this->numbers[$key])) {
            $this->numbers[$key] = count($this->frames);
            $this->frames[] = $frame;
        }
        return $this->numbers[$key];
    }

    /** @param list<int> $frames */
    private function count(array $frames, int $cpu, int $wall): void
    {
        if ($frames !== []) {
            $stack = $this->stacks[implode(',', $frames)] ??= new Stack($frames);
            $stack->cpu += $cpu;
            $stack->wall += $wall;
        }
    }
}
