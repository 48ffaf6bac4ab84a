<?php

declare(strict_types=1);

namespace Stampede\Bench;

/**
 * On a processor of its own, where there are two: a pair of processes that talk costs half or twice as much, depending on
 * where the kernel has put them.
 */
function own_processor(): int
{
    return allowed_processors()[0];
}

function leave_own_processor(int $pid): void
{
    $others = array_slice(allowed_processors(), 1);
    if ($others !== []) {
        exec('taskset -apc ' . implode(',', $others) . " $pid 2>&1");
    }
}

/** @return non-empty-list<int> of this process, which a container may have narrowed */
function allowed_processors(): array
{
    preg_match('/^Cpus_allowed_list:\s+(\S+)/m', (string) file_get_contents('/proc/self/status'), $found);
    $processors = [];
    foreach (explode(',', $found[1] ?? '0') as $range) {
        $ends = array_map(intval(...), explode('-', $range));
        array_push($processors, ...range($ends[0], end($ends)));
    }
    return $processors;
}

/**
 * A process that stays and measures one slice whenever it is asked. Several of them are asked in turns, so that what
 * disturbs the machine, or changes its speed, meets all of them alike.
 */
final class Measured
{
    /** @var resource */
    private $process;

    /** @var array<int, resource> */
    private array $pipes = [];

    /** @param list<string> $command answers each line on its standard input by one line of numbers */
    public function __construct(private readonly array $command)
    {
        $process = proc_open(['taskset', '-c', (string) own_processor(), ...$command], [['pipe', 'r'], ['pipe', 'w']], $this->pipes);
        $this->process = $process !== false ? $process : throw new \RuntimeException("{$command[0]} could not be started.");
    }

    public function __destruct()
    {
        array_map(fclose(...), $this->pipes);
        proc_close($this->process);
    }

    /** @return list<float> */
    public function slice(): array
    {
        fwrite($this->pipes[0], "\n");
        $line = (string) fgets($this->pipes[1]);
        if (!preg_match('/^[\d.]+( [\d.]+)*$/', $line)) {
            throw new \RuntimeException(implode(' ', $this->command) . ":\n" . $line . stream_get_contents($this->pipes[1]));
        }
        return array_map(floatval(...), explode(' ', trim($line)));
    }
}

/**
 * Each of them once a turn, the first turn for warming up. In another order each time: whoever comes behind one that was
 * busy finds a processor that is awake.
 *
 * @param array<string, Measured> $processes
 * @return array<string, list<list<float>>> what each has measured, by turn
 */
function in_turns(array $processes, int $turns): array
{
    $slices = array_fill_keys(array_keys($processes), []);
    $order = array_keys($processes);
    for ($turn = 0; $turn <= $turns; $turn++) {
        shuffle($order);
        foreach ($order as $name) {
            $slice = $processes[$name]->slice();
            if ($turn > 0) {
                $slices[$name][] = $slice;
            }
        }
    }
    return $slices;
}

/**
 * The median of the turns' ratios.
 *
 * @param list<list<float>> $slices
 * @param list<list<float>> $reference
 */
function ratio_of(array $slices, array $reference): float
{
    return median(array_map(static fn (array $own, array $other): float => $own[0] / $other[0], $slices, $reference));
}
