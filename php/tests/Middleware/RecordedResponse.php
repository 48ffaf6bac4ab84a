<?php

declare(strict_types=1);

namespace Stampede\Tests\Middleware;

use Swoole\Http\Response;

/** A response that keeps what it was given. */
final class RecordedResponse extends Response
{
    public int $code = 200;
    public string $body = '';
    public bool $hasEnded = false;
    public bool $hasBegun = false; // a part of the body was sent: the status cannot be changed any more
    public bool $isClosed = false;
    /** @var array<string, string|list<string>> */
    public array $fields = [];

    public function isWritable(): bool
    {
        return !$this->hasEnded && !$this->isClosed;
    }

    public function status(int $http_code, string $reason = ''): bool
    {
        if ($this->hasBegun) {
            return false;
        }
        $this->code = $http_code;
        return true;
    }

    /** @param string|list<string> $value */
    public function header(string $key, $value, bool $format = true): bool
    {
        $this->fields[$key] = $value;
        return true;
    }

    public function write(string $content): bool
    {
        $this->hasBegun = true;
        $this->body .= $content;
        return true;
    }

    public function end(?string $content = null): bool
    {
        $this->body .= $content;
        return $this->hasEnded = true;
    }

    public function close(): bool
    {
        return $this->isClosed = true;
    }
}
