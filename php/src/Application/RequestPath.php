<?php

declare(strict_types=1);

namespace Stampede\Application;

/**
 * The path of a request as everything is chosen by it: decoded once, which the server has done ("path_info"), without empty parts, "." and "..". A
 * proxy in front of the server does the same before its rules, so a second decoding would pass them by.
 */
final class RequestPath
{
    /**
     * @param string $path decoded
     * @return string|null null: it leads above the root, or holds a zero byte; the response is 400
     */
    public static function of(string $path): ?string
    {
        if (str_contains($path, "\0")) {
            return null;
        }
        if (!str_starts_with($path, '/')) {
            return '/';
        }
        return str_contains($path, '/.') || str_contains($path, '//') ? self::normalised($path) : $path;
    }

    /** As the address of a page on this server: one that browsers take for no other host, whatever is in the path. */
    public static function encoded(string $path): string
    {
        return implode('/', array_map(rawurlencode(...), explode('/', $path)));
    }

    private static function normalised(string $path): ?string
    {
        $parts = explode('/', substr($path, 1));
        $last = end($parts);
        $kept = [];
        foreach ($parts as $part) {
            if ($part === '..') {
                if (array_pop($kept) === null) {
                    return null;
                }
            } elseif ($part !== '' && $part !== '.') {
                $kept[] = $part;
            }
        }
        $isFolder = in_array($last, ['', '.', '..'], true);
        return $kept === [] ? '/' : '/' . implode('/', $kept) . ($isFolder ? '/' : '');
    }
}
