<?php

declare(strict_types=1);

namespace Stampede\Config;

use Stampede\Exception\ConfigurationException;

/** For how long browsers keep files whose names change with their content. */
final class CacheRules
{
    private const UNITS = ['s' => 1, 'm' => 60, 'h' => 3600, 'd' => 86400, 'w' => 7 * 86400, 'y' => 365 * 86400];

    /**
     * @param list<string> $rules PATTERN:TIME
     * @return list<string> as the setting static_handler_cached has them
     * @throws ConfigurationException
     */
    public static function read(array $rules): array
    {
        return array_map(self::setting(...), $rules);
    }

    private static function setting(string $rule): string
    {
        if (preg_match('~^(\*?[^*\s]+\*?):(\d{1,9})([smhdwy])$~D', $rule, $part) !== 1 || !in_array($part[1][0], ['/', '*'], true)) {
            throw new ConfigurationException("\"{$rule}\" says nothing about caching: write PATTERN:TIME, such as /build/*:1y or *.woff2:30d, where a star at an end stands for anything.");
        }
        $seconds = (int) $part[2] * self::UNITS[$part[3]];
        // A file that is kept for a short time may change: a reload of the page asks for it again.
        return "{$part[1]} public, max-age={$seconds}" . ($seconds >= self::UNITS['d'] ? ', immutable' : '');
    }
}
