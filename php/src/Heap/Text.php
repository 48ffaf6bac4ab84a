<?php

declare(strict_types=1);

namespace Stampede\Heap;

/** What workers say of their heaps, for people. */
final class Text
{
    private const MOST = 20; // lines of each kind

    /** @param array<string, mixed> $heap */
    public static function ofMemory(string $worker, array $heap): string
    {
        if (isset($heap['error'])) {
            return "Worker {$worker} {$heap['error']}.\n";
        }
        $text = "Worker {$worker}: " . self::bytes($heap['usage']) . " of PHP, {$heap['objects']} objects" . self::effort($heap) . "\n\n";
        $text .= sprintf("%12s %10s  class, and how one of it is held\n", 'bytes', 'instances');
        foreach (array_slice($heap['classes'], 0, self::MOST) as $class) {
            $text .= sprintf("%12s %10d  %s\n", self::bytes($class['bytes']), $class['count'], self::held($class));
        }
        $text .= sprintf("\n%23s  collection\n", 'size');
        foreach (array_slice($heap['holders'], 0, self::MOST) as $holder) {
            $text .= sprintf("%15d %-7s  %s\n", $holder['size'], $holder['unit'], self::printable($holder['path']));
        }
        return $text;
    }

    /** @param array<string, mixed> $heap @param int $requests that came meanwhile */
    public static function ofGrowth(string $worker, array $heap, int $requests): string
    {
        if (isset($heap['error'])) {
            return "Worker {$worker} {$heap['error']}.\n";
        }
        $text = sprintf("Worker %s: %s more in %.1f s and %d requests%s\n", $worker, self::bytes($heap['usage'] - $heap['usage_before']), $heap['seconds'], $requests, self::effort($heap));
        if ($heap['classes'] === [] && $heap['holders'] === []) {
            return "{$text}Nothing grew.\n";
        }
        $each = static fn (int $more): string => $requests > 0 ? sprintf('%.2f', $more / $requests) : '-';
        $text .= sprintf("\n%10s %12s  what grew\n", 'more', 'each request');
        foreach (array_slice($heap['classes'], 0, self::MOST) as $class) {
            $text .= sprintf("%10d %12s  %s\n", $class['after'] - $class['before'], $each($class['after'] - $class['before']), self::held($class));
        }
        foreach (array_slice($heap['holders'], 0, self::MOST) as $holder) {
            $text .= sprintf("%10d %12s  %s (%s)\n", $holder['after'] - $holder['before'], $each($holder['after'] - $holder['before']), self::printable($holder['path']), $holder['unit']);
        }
        return $text;
    }

    /** @param array<string, mixed> $growth */
    public static function ofLeaks(string $worker, array $growth, float $seconds): string
    {
        if (isset($growth['error'])) {
            return "Worker {$worker} {$growth['error']}.\n";
        }
        $text = sprintf("Worker %s: %d requests measured in %.0f s.\n", $worker, $growth['measured'], $seconds);
        foreach ($growth['routes'] as $route) {
            $text .= sprintf("\n%s: %d measured, %s left behind by each\n", self::printable($route['route']), $route['measured'], self::bytes($route['bytes']));
            foreach ($route['grown'] as $grown) {
                $isHeldBy = $grown['path'] !== '' && $grown['path'] !== $grown['name'];
                $text .= sprintf("%10.2f more %-9s  %s%s\n", $grown['each'], $grown['unit'], self::printable($grown['name']), $isHeldBy ? ', held by ' . self::printable($grown['path']) : '');
            }
        }
        return $text . match (true) {
            $growth['routes'] !== [] => '',
            $growth['measured'] < 10 => "That is too little to tell: a route needs 7 requests, each of them alone in its worker.\n",
            default => "Nothing grew in most of the requests of a route.\n",
        };
    }

    /** @param array<string, mixed> $class */
    private static function held(array $class): string
    {
        return self::printable($class['class']) . ($class['path'] === '' ? '' : '  ' . self::printable($class['path'])) . ($class['unreached'] > 0 ? "  ({$class['unreached']} held by no variable)" : '');
    }

    /** @param array<string, mixed> $heap */
    private static function effort(array $heap): string
    {
        $took = sprintf('; the look took %.0f ms', $heap['took_ms']);
        return $heap['complete'] ? "{$took}." : "{$took} and was broken off: --pause=MILLISECONDS lets it take longer, what follows is a part.";
    }

    private static function bytes(int $bytes): string
    {
        $units = ['B', 'KiB', 'MiB', 'GiB'];
        for ($unit = 0, $value = (float) $bytes; abs($value) >= 1024 && $unit < 3; $unit++) {
            $value /= 1024;
        }
        return sprintf($unit === 0 ? '%.0f %s' : '%.1f %s', $value, $units[$unit]);
    }

    /** Keys of arrays come from requests; a terminal obeys some of what may be in them. */
    private static function printable(string $text): string
    {
        return (string) preg_replace('/[^\x20-\x7e]/', '?', strlen($text) > 300 ? substr($text, 0, 297) . '...' : $text);
    }
}
