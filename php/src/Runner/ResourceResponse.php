<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Stampede\Application\RequestPath;
use Stampede\Application\Resource;
use Stampede\Application\ResourceKind;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** Responses to paths that mean no script. */
final class ResourceResponse
{
    /** @return int its status */
    public static function send(Resource $resource, Request $request, Response $response): int
    {
        if ($resource->kind === ResourceKind::Folder) {
            return self::redirectToFolder($request, $response);
        }
        if ($resource->kind === ResourceKind::File) {
            if (is_readable($resource->file)) {
                $response->header('Content-Type', swoole_mime_type_get($resource->file));
                $response->sendfile($resource->file);
                return 200;
            }
            $resource = Resource::refused(403);
        }
        $response->status($resource->status);
        $response->header('Content-Type', 'text/plain; charset=utf-8');
        if ($resource->status === 405) {
            $response->header('Allow', 'GET, HEAD');
        }
        $response->end(match ($resource->status) {
            400 => "This is no path of a page.\n",
            403 => "This is not for everybody.\n",
            405 => "This is a file, which can only be read.\n",
            default => "There is no such page.\n",
        });
        return $resource->status;
    }

    private static function redirectToFolder(Request $request, Response $response): int
    {
        $query = $request->server['query_string'] ?? '';
        $path = RequestPath::encoded(rtrim((string) RequestPath::of($request->server['path_info']), '/'));
        $response->header('Location', "{$path}/" . ($query === '' ? '' : "?{$query}"));
        $response->status(301);
        $response->end();
        return 301;
    }
}
