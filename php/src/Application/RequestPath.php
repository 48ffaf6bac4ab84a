<?php

declare(strict_types=1);

namespace Stampede\Application;

/** The path of a request as everything is chosen by it: decoded once, without empty parts, "." and "..". A proxy in front of the server does the same before its rules. */
final class RequestPath
{
    /** @return string|null null: it leads above the root, or holds a zero byte; the response is 400 */
    public static function of(string $sent): ?string
    {
        // Most paths are what they are.
        if (strcspn($sent, '%.') === strlen($sent) && !str_contains($sent, '//')) {
            return $sent === '' || $sent[0] !== '/' ? '/' : $sent;
        }
        $path = rawurldecode($sent);
        if (str_contains($path, "\0")) {
            return null;
        }
        if (!str_starts_with($path, '/')) {
            return '/';
        }
        return str_contains($path, '/.') || str_contains($path, '//') ? self::normalised($path) : $path;
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
