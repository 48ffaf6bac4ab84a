<?php

declare(strict_types=1);

namespace Stampede\Acme;

final readonly class HttpResponse
{
    /** @param array<string, string> $fields with names in lower case */
    public function __construct(public int $status, public array $fields, public string $body) {}

    /** @return array<string, mixed> */
    public function json(): array
    {
        $value = json_decode($this->body, true, 32);
        return is_array($value) ? $value : [];
    }

    /** Seconds; 0: not told. */
    public function retryAfter(): int
    {
        $value = $this->fields['retry-after'] ?? '';
        return max(0, ctype_digit($value) ? (int) $value : (int) strtotime($value) - time());
    }
}
