<?php

declare(strict_types=1);

namespace Stampede\Runner;

/** How header fields of a request are called in $_SERVER. */
final class HeaderVariables
{
    private const MOST_KEYS = 200; // names that are remembered
    private const LONGEST_NAME = 64; // of these

    /** @return string empty: the field is left out */
    public static function key(string $name): string
    {
        $key = strtoupper(strtr($name, '-', '_'));
        return match ($key) {
            'CONTENT_TYPE', 'CONTENT_LENGTH' => $key,
            'PROXY' => '', // HTTP_PROXY would be taken for the proxy that clients of the application are to use
            default => "HTTP_{$key}",
        };
    }

    /**
     * Whether the key of one more name is worth remembering: nearly every request has the same names, but clients may send any.
     *
     * @param array<array-key, string> $known
     */
    public static function isWorthKeeping(string $name, array $known): bool
    {
        return count($known) < self::MOST_KEYS && strlen($name) <= self::LONGEST_NAME;
    }

    /** The host of a field Host, without its port. */
    public static function host(string $host): string
    {
        return str_contains($host, ':') ? (string) preg_replace('/:\d+$/', '', $host) : $host;
    }
}
