<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Swoole\Http\Request;

/** A request that no connection of this process has received. */
class InMemoryRequest extends Request
{
    protected string $body = '';

    public static function get(string $path, string $agent): self
    {
        [$uri, $query] = explode('?', $path, 2) + [1 => ''];
        parse_str($query, $parameters);
        $request = new self();
        $request->header = ['host' => 'localhost', 'user-agent' => $agent];
        $request->server = array_filter([
            'request_method' => 'GET', 'request_uri' => $uri, 'path_info' => rawurldecode($uri), 'query_string' => $query, 'request_time' => time(), 'request_time_float' => microtime(true),
            'server_protocol' => 'HTTP/1.1', 'server_port' => 8000, 'remote_port' => 40000, 'remote_addr' => '127.0.0.1', 'server_addr' => '127.0.0.1',
        ], static fn (mixed $value): bool => $value !== '');
        $request->get = $query === '' ? null : $parameters;
        $request->fd = 1;
        return $request;
    }

    public function getContent(): string
    {
        return $this->body;
    }

    public function rawContent(): string
    {
        return $this->body;
    }

    public function getMethod(): string
    {
        return $this->server['request_method'];
    }
}
