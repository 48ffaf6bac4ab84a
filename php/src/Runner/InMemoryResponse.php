<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Swoole\Http\Response;

/** A response whose client wants nothing but its status. */
final class InMemoryResponse extends Response
{
    private bool $hasEnded = false;

    public function isWritable(): bool
    {
        return !$this->hasEnded;
    }

    public function status(int $http_code, string $reason = ''): bool
    {
        return !$this->hasEnded;
    }

    /** @param string|list<string> $value */
    public function header(string $key, $value, bool $format = true): bool
    {
        return !$this->hasEnded;
    }

    public function write(string $content): bool
    {
        return !$this->hasEnded;
    }

    public function end(?string $content = null): bool
    {
        $isFirst = !$this->hasEnded;
        $this->hasEnded = true;
        return $isFirst;
    }

    public function sendfile(string $filename, int $offset = 0, int $length = 0): bool
    {
        return is_readable($filename) && $this->end();
    }

    public function close(): bool
    {
        return $this->end();
    }
}
