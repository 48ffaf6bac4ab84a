<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** Maps values to places on an axis, linear or logarithmic, and says where its marks are. */
final class Scale
{
    private function __construct(
        private readonly bool $logarithmic,
        private readonly float $low,
        private readonly float $high,
        private readonly float $from,
        private readonly float $to,
    ) {
    }

    /**
     * @param list<float> $values all that must be on the axis
     * @param float $from the place of its beginning
     * @param float $to the place of its end
     */
    public static function fitting(array $values, bool $logarithmic, float $from, float $to): self
    {
        if ($logarithmic) {
            $positive = array_filter($values, static fn (float $value): bool => $value > 0) ?: [1.0];
            $low = 10 ** floor(log10(min($positive)));
            $high = 10 ** ceil(log10(max($positive)));
            return new self(true, $low, max($high, $low * 10), $from, $to);
        }
        $high = max([0.0, ...$values]) ?: 1.0;
        $step = self::step($high);
        return new self(false, 0.0, ceil($high / $step * 1.02) * $step, $from, $to);
    }

    public function at(float $value): float
    {
        $value = max($this->low, min($this->high, $value));
        $part = $this->logarithmic ? log($value / $this->low) / log($this->high / $this->low) : ($value - $this->low) / ($this->high - $this->low);
        return $this->from + $part * ($this->to - $this->from);
    }

    /** @return list<float> */
    public function marks(): array
    {
        $marks = [];
        if ($this->logarithmic) {
            for ($mark = $this->low; $mark <= $this->high * 1.001; $mark *= 10) {
                $marks[] = $mark;
            }
            return $marks;
        }
        $step = self::step($this->high / 1.02);
        for ($i = 0; $i * $step <= $this->high * 1.001; $i++) {
            $marks[] = $i * $step;
        }
        return $marks;
    }

    /** A number as an axis shows it: 0.5, 20, 1.5k, 3M. */
    public static function text(float $value): string
    {
        foreach ([1_000_000_000 => 'G', 1_000_000 => 'M', 1_000 => 'k'] as $size => $letter) {
            if (abs($value) >= $size) {
                return self::short($value / $size) . $letter;
            }
        }
        return self::short($value);
    }

    private static function short(float $value): string
    {
        return (string) (float) sprintf('%.3g', $value);
    }

    /** 1, 2 or 5 times a power of ten, four to eight of which make the whole. */
    private static function step(float $high): float
    {
        $power = 10 ** floor(log10($high / 4));
        foreach ([1, 2, 5] as $times) {
            if ($high / ($times * $power) <= 8) {
                return $times * $power;
            }
        }
        return 10 * $power;
    }
}
