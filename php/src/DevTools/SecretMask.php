<?php

declare(strict_types=1);

namespace Stampede\DevTools;

use function Stampede\is_secret_name;

/** Values of a request that must not be seen on a page of errors, by their names, also inside of others: login[password]. */
final class SecretMask
{
    private const HIDDEN = '(hidden)';
    private const DEEPEST = 8;

    /** What may be shown of a value. */
    public static function shown(string $name, mixed $value, int $depth = 0): mixed
    {
        if (is_secret_name($name) || $depth > self::DEEPEST) {
            return self::HIDDEN;
        }
        if (is_array($value)) {
            $shown = [];
            foreach ($value as $key => $each) {
                $shown[$key] = self::shown((string) $key, $each, $depth + 1);
            }
            return $shown;
        }
        return is_string($value) ? self::address($value) : $value;
    }

    /** The value without secrets, when it is an address with a query, as the field Referer has one, or with a password. */
    private static function address(string $value): string
    {
        if (preg_match('~^[a-z][a-z0-9+.-]*://|^/~i', $value) !== 1) {
            return $value;
        }
        $value = (string) preg_replace('~^([a-z][a-z0-9+.-]*://)[^/?#]*@~i', '$1' . self::HIDDEN . '@', $value);
        return (string) preg_replace_callback('/([?&#])([^=&#]+)=([^&#]*)/', static fn (array $part): string => "{$part[1]}{$part[2]}=" . (is_secret_name(rawurldecode($part[2])) ? self::HIDDEN : $part[3]), $value);
    }
}
