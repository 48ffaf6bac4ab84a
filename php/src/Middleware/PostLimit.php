<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Swoole\Http\Request;

/** The setting post_max_size, as PHP's web servers take it: of a larger body there is neither a form nor a file, only php://input. */
final class PostLimit
{
    /** @return string what it has done; empty: nothing */
    public static function apply(Request $request): string
    {
        if (($request->post ?? []) === [] && ($request->files ?? []) === []) {
            return '';
        }
        $limit = ini_parse_quantity((string) ini_get('post_max_size'));
        $length = (int) ($request->header['content-length'] ?? strlen((string) $request->rawContent()));
        if ($limit <= 0 || $length <= $limit) {
            return '';
        }
        $request->post = $request->files = [];
        return "its body of {$length} bytes exceeds post_max_size ({$limit} bytes): it has no form and no files.";
    }
}
