<?php

declare(strict_types=1);

namespace Stampede\Https;

use Swoole\Http\Request;
use Swoole\Http\Response;

/** What clients of an address without TLS are told: the same URL with https. */
final readonly class Redirect
{
    private const USUAL_PORT = 443;

    /** @param string $serverName the host to go to; empty: the one that the client has named */
    public function __construct(private string $serverName, private int $port) {}

    public function handle(Request $request, Response $response): int
    {
        $host = $this->serverName !== '' ? $this->serverName : $this->hostOf($request);
        if ($host === null) {
            return $this->refuse($response);
        }
        $uri = $request->server['request_uri'] ?? '/';
        $query = $request->server['query_string'] ?? '';
        $authority = $this->port === self::USUAL_PORT ? $host : "{$host}:{$this->port}";
        // Programs send a form again only after 308; old ones know 301 alone.
        $status = in_array($request->server['request_method'], ['GET', 'HEAD'], true) ? 301 : 308;
        $response->status($status);
        $response->header('Location', "https://{$authority}{$uri}" . ($query === '' ? '' : "?{$query}"));
        $response->end();
        return $status;
    }

    /** Without the port of the address that was asked. */
    private function hostOf(Request $request): ?string
    {
        $found = preg_match('/^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/Di', $request->header['host'] ?? '', $part);
        return $found === 1 && str_starts_with($request->server['request_uri'] ?? '', '/') ? $part[1] : null;
    }

    private function refuse(Response $response): int
    {
        $response->status(400);
        $response->header('Content-Type', 'text/plain; charset=utf-8');
        $response->end("This address sends clients to https: name the host, and a path.\n");
        return 400;
    }
}
