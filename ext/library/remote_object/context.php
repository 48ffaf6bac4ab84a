<?php

declare(strict_types=1);

namespace Swoole\RemoteObject;

use Stampede\Library\RemoteObject\Wire;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** One request to a server of remote objects: what is asked for, and the response. */
class Context
{
    /** @var array<mixed> */
    private array $data;

    /** @throws Exception when the body is no message about remote objects */
    public function __construct(private readonly Request $request, public Response $response)
    {
        $this->data = Wire::unpack((string) $request->getContent());
    }

    /** @param array<mixed> $data */
    public function end(array $data): void
    {
        $body = Wire::pack($data);
        $most = (int) $this->getParam('limit');
        if (strlen($body) > $most) {
            $size = strlen($body);
            $body = Wire::pack(['error' => "The result has {$size} bytes, the client takes {$most}: ask for less, or set its package_max_length.", 'code' => 0]);
        }
        $this->response->header('Content-Type', 'application/octet-stream');
        $this->response->end($body);
    }

    /** What is asked for: the path without its slash. */
    public function getHandler(): string
    {
        return ltrim((string) ($this->request->server['request_uri'] ?? ''), '/');
    }

    /** A parameter of the query, "" when there is none. */
    public function getParam(string $name): string
    {
        $value = $this->request->get[$name] ?? '';
        return is_string($value) ? $value : '';
    }

    /** A value of the body, null when there is none. */
    public function getDataParam(string $name): mixed
    {
        return $this->data[$name] ?? null;
    }

    /** The coroutine of the client that has made the request. */
    public function getCoroutineId(): int
    {
        return (int) $this->getParam('coroutine');
    }

    public function getClientId(): string
    {
        return $this->getParam('client');
    }
}
