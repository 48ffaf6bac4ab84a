<?php

declare(strict_types=1);

namespace Stampede;

use Stampede\Metrics\Counter;
use Stampede\Metrics\Gauge;
use Stampede\Metrics\Histogram;

/**
 * Metrics where the extension is not loaded (PHP-FPM, a build machine): they count nothing, so that the application's code is the same everywhere. With the extension
 * this file is never loaded; its own class of this name has the documentation.
 */
final class Metrics
{
    /** @param list<string> $labels */
    public static function counter(string $name, string $help = '', array $labels = []): Counter
    {
        return new Counter();
    }

    /** @param list<string> $labels */
    public static function gauge(string $name, string $help = '', array $labels = []): Gauge
    {
        return new Gauge();
    }

    /**
     * @param list<string> $labels
     * @param list<float> $bounds
     */
    public static function histogram(string $name, string $help = '', array $labels = [], array $bounds = []): Histogram
    {
        return new Histogram();
    }

    public static function route(string $template): void {}
}
