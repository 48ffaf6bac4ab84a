<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** What a long load shows, slice by slice: the memory must be flat after the first tenth (30 s of a short one), and nothing may fail. */
final class Soak
{
    public const SLICES = 20;
    private const PERCENT = 5.0;

    private int $done = 0;
    private int $errors = 0;
    /** @var list<int> */
    private array $memory = [];

    /**
     * @param bool $flat whether the memory counts: not where processes are replaced
     * @param int $kilobytes that may always come: a process with little memory is not judged by what one slab of it more is in percent
     */
    public function __construct(
        private readonly string $unit,
        private readonly float $minutes,
        private readonly bool $flat = true,
        private readonly int $kilobytes = 2048,
    ) {
        printf("%10s %14s %14s %8s\n", 'minute', $unit, 'private kB', 'errors');
    }

    public static function minutes(): float
    {
        return (float) (getopt('', ['minutes:'])['minutes'] ?? 10);
    }

    public function seconds_each(): float
    {
        return max(0.5, $this->minutes * 60 / self::SLICES);
    }

    public function slice(int $done, int $errors, int $kilobytes): void
    {
        $this->done += $done;
        $this->errors += $errors;
        $this->memory[] = $kilobytes;
        printf("%10.1f %14d %14d %8d\n", count($this->memory) * $this->minutes / self::SLICES, $done, $kilobytes, $errors);
    }

    /** The exit status. */
    public function verdict(): int
    {
        $slices = count($this->memory);
        if ($slices < 2) {
            echo "It did not last for two slices.\n";
            return 1;
        }
        // The last tenth's least against the most of the slices in which it settled: what one slice happens to hold, or not, is no growth.
        $tenth = max(1, intdiv($slices, 10));
        $first = min(intdiv($slices, 2), max($tenth, (int) ceil(30 / $this->seconds_each())));
        $from = intdiv($first, 2);
        $settled = max(0, ...array_slice($this->memory, $from, $first + $tenth - $from));
        $grown = min(PHP_INT_MAX, ...array_slice($this->memory, $slices - $tenth)) - $settled;
        printf("memory grew by %d kB (%.1f %%) since it had settled, %d %s, %d errors\n", $grown, $grown / max(1, $settled) * 100, $this->done, $this->unit, $this->errors);
        $too_much = $this->flat && $grown > max($this->kilobytes, $settled * self::PERCENT / 100);
        return $this->errors > 0 || $this->done === 0 || $too_much ? 1 : 0;
    }
}
