<?php

declare(strict_types=1);

namespace Stampede\Metrics;

/** Counts nothing: see Stampede\Metrics of this package. */
final class Gauge
{
    /** @param array<string> $labels */
    public function set(float $value, array $labels = []): void {}

    /** @param array<string> $labels */
    public function inc(array $labels = [], float $by = 1): void {}

    /** @param array<string> $labels */
    public function dec(array $labels = [], float $by = 1): void {}
}
