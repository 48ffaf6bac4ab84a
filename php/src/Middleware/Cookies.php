<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Swoole\Http\Request;

/** Cookies as $_COOKIE has them. The server's own way differs: a plus sign is a space there, and the names are as they were sent. */
final class Cookies
{
    /** For a server that leaves the field to us (http_parse_cookie), so that the application sees it, too. */
    public static function read(Request $request): void
    {
        if (isset($request->header['cookie'])) {
            $request->cookie = self::of($request->header['cookie'], (int) ini_get('max_input_vars'));
        }
    }

    /** @return array<array-key, mixed> at most so many, the first ones */
    private static function of(string $field, int $most): array
    {
        $cookies = $pairs = [];
        $areNamed = true;
        foreach (explode(';', $field) as $pair) {
            [$name, $value] = explode('=', ltrim($pair), 2) + [1 => ''];
            $areNamed = $areNamed && strpbrk($name, '[. ') === false;
            // Of two with one name the first is for the longer path.
            if (count($pairs) >= $most) {
                break;
            }
            if ($name !== '' && (!isset($cookies[$name]) || str_contains($name, '['))) {
                $cookies[$name] = rawurldecode($value);
                $pairs[] = rawurlencode($name) . '=' . rawurlencode($cookies[$name]);
            }
        }
        if (!$areNamed) {
            @parse_str(implode('&', $pairs), $cookies); // a[b] is an array, a.b is a_b
        }
        return $cookies;
    }
}
