<?php

/** @generate-class-entries */

namespace Stampede {
    /**
     * Metrics of the application, beside those of the server at /metrics of the health listener (docs/user/metrics.md). They are in memory that all
     * processes of the server share and outlive each of them: workers, processes of requests, task workers and background commands count together.
     * Where there is no server, or one without metrics, they count nothing and do no harm.
     *
     * Names are those of Prometheus: letters, digits, `_` and `:`, not beginning with a digit, with the unit at the end (`_seconds`, `_bytes`). `stampede_`
     * is the server's. A metric of the same name is the same one everywhere, and must have the same labels.
     */
    final class Metrics
    {
        /**
         * A number that only grows. Its name ends in `_total` for Prometheus, whether it does here or not. $labels are names of labels, at most 8.
         * @throws \ValueError when a name is none, or the metric exists as something else
         */
        public static function counter(string $name, string $help = '', array $labels = []): Metrics\Counter {}

        /**
         * A number that goes up and down: one for the whole server, the last set() of any process counts.
         * @throws \ValueError
         */
        public static function gauge(string $name, string $help = '', array $labels = []): Metrics\Gauge {}

        /**
         * How many values were at most as large as each of some bounds: $bounds grow, and are at most 24; without them from 1 ms to 60 s, for durations in seconds.
         * @throws \ValueError
         */
        public static function histogram(string $name, string $help = '', array $labels = [], array $bounds = []): Metrics\Histogram {}

        /**
         * What the request of this coroutine is called in the server's metrics, before its response ends: a template as `/orders/{id}`, never the path itself.
         * There are at most 510 of them, further ones count as "other".
         */
        public static function route(string $template): void {}
    }
}

namespace Stampede\Metrics {
    /** Values of labels are given by their names, or in the order in which the names were. A metric takes 1,000 different ones, further ones count as "other". */
    final class Counter
    {
        private function __construct() {}

        /**
         * @throws \ValueError for labels that the metric does not have, and for a number below 0
         */
        public function inc(array $labels = [], float $by = 1): void {}
    }

    final class Gauge
    {
        private function __construct() {}

        public function set(float $value, array $labels = []): void {}

        public function inc(array $labels = [], float $by = 1): void {}

        public function dec(array $labels = [], float $by = 1): void {}
    }

    final class Histogram
    {
        private function __construct() {}

        public function observe(float $value, array $labels = []): void {}
    }
}
