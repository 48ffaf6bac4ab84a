<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http;

/** What get(), post() and request() give. */
class ClientProxy
{
    /** @var array<string, mixed> */
    private array $headers;

    /** @var array<string, mixed> */
    private array $cookies;

    /**
     * @param array<string, mixed>|null $headers
     * @param array<string, mixed>|null $cookies
     */
    public function __construct(private readonly string $body, private readonly int $statusCode, ?array $headers, ?array $cookies)
    {
        $this->headers = $headers ?? [];
        $this->cookies = $cookies ?? [];
    }

    public function getBody(): string
    {
        return $this->body;
    }

    public function getStatusCode(): int
    {
        return $this->statusCode;
    }

    /** @return array<string, mixed> */
    public function getHeaders(): array
    {
        return $this->headers;
    }

    /** @return array<string, mixed> */
    public function getCookies(): array
    {
        return $this->cookies;
    }
}
