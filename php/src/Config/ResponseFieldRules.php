<?php

declare(strict_types=1);

namespace Stampede\Config;

use Stampede\Exception\ConfigurationException;

/** Fields that responses have by their path, where the application or the server has not given them. */
final class ResponseFieldRules
{
    /**
     * @param list<string> $rules PATTERN:NAME=VALUE
     * @return list<string> as the setting response_fields has them
     * @throws ConfigurationException
     */
    public static function read(array $rules): array
    {
        return array_map(self::setting(...), $rules);
    }

    private static function setting(string $rule): string
    {
        if (preg_match('~^(\*?[^*\s:]*\*?):([A-Za-z0-9-]+)=([^\x00-\x08\x0a-\x1f\x7f]*)$~D', $rule, $part) !== 1 || !in_array($part[1][0] ?? '', ['/', '*'], true)) {
            throw new ConfigurationException("\"{$rule}\" says nothing about fields of responses: write PATTERN:NAME=VALUE, such as /*:X-Frame-Options=DENY or *.woff2:Access-Control-Allow-Origin=*, where a star at an end of the pattern stands for anything.");
        }
        return "{$part[1]} {$part[2]}: " . trim($part[3]);
    }
}
