<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use Swoole\Http\Status;

/** A response with the header fields of CGI taken off its body. */
class HttpResponse extends Response
{
    /** @var int */
    protected $statusCode;

    /** @var string */
    protected $reasonPhrase;

    /** @var array<string, string> */
    protected array $headers = [];

    /** @var array<string, string> names in lower case to names as they came */
    protected array $headersMap = [];

    /** @var list<string> */
    protected array $setCookieHeaderLines = [];

    /** @param list<Record> $records */
    public function __construct(array $records = [])
    {
        $this->withStatusCode(Status::OK);
        if ($records === []) {
            return;
        }
        parent::__construct($records);
        $end = strpos($this->body, "\r\n\r\n");
        if ($end === false) {
            $this->withStatusCode(Status::BAD_GATEWAY)->withError($this->body);
            return;
        }
        $lines = explode("\r\n", substr($this->body, 0, $end));
        $this->body = substr($this->body, $end + 4);
        foreach ($lines as $line) {
            $this->takeLine($line);
        }
    }

    public function getStatusCode(): int
    {
        return $this->statusCode;
    }

    /** @return static */
    public function withStatusCode(int $statusCode): self
    {
        $this->statusCode = $statusCode;
        return $this->withReasonPhrase(Status::getReasonPhrase($statusCode));
    }

    public function getReasonPhrase(): string
    {
        return $this->reasonPhrase;
    }

    /** @return static */
    public function withReasonPhrase(string $reasonPhrase): self
    {
        $this->reasonPhrase = $reasonPhrase;
        return $this;
    }

    public function getHeader(string $name): ?string
    {
        $name = $this->headersMap[strtolower($name)] ?? null;
        return $name === null ? null : $this->headers[$name];
    }

    /** @return array<string, string> */
    public function getHeaders(): array
    {
        return $this->headers;
    }

    /** @return static */
    public function withHeader(string $name, string $value): self
    {
        $name = $this->headersMap[strtolower($name)] ??= $name;
        $this->headers[$name] = $value;
        return $this;
    }

    /**
     * @param array<string, string> $headers
     * @return static
     */
    public function withHeaders(array $headers): self
    {
        foreach ($headers as $name => $value) {
            $this->withHeader((string) $name, $value);
        }
        return $this;
    }

    /** @return list<string> */
    public function getSetCookieHeaderLines(): array
    {
        return $this->setCookieHeaderLines;
    }

    /** @return static */
    public function withSetCookieHeaderLine(string $value): self
    {
        $this->setCookieHeaderLines[] = $value;
        return $this;
    }

    private function takeLine(string $line): void
    {
        $parts = explode(':', $line, 2);
        if (count($parts) < 2) {
            return;
        }
        [$name, $value] = [trim($parts[0]), trim($parts[1])];
        if (strcasecmp($name, 'Status') === 0) {
            [$code, $reason] = explode(' ', $value, 2) + [1 => ''];
            $this->withStatusCode((int) $code);
            if ($reason !== '') {
                $this->withReasonPhrase($reason);
            }
        } elseif (strcasecmp($name, 'Set-Cookie') === 0) {
            $this->withSetCookieHeaderLine($value);
        } else {
            $this->withHeader($name, $value);
        }
    }
}
