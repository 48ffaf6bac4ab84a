<?php

declare(strict_types=1);

namespace LlmProxy;

use RuntimeException;

/** What a model has said once, and how fast: a line of JSON for each token, with the seconds since the one before. */
final readonly class Recording
{
    /** @param list<array{after: float, token: string}> $tokens */
    private function __construct(public array $tokens) {}

    public static function read(string $file): self
    {
        $tokens = [];
        foreach (file($file, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES) ?: throw new RuntimeException("The recording {$file} cannot be read.") as $line) {
            $entry = json_decode($line, true, 4, JSON_THROW_ON_ERROR);
            $tokens[] = ['after' => (float) $entry['after'], 'token' => (string) $entry['token']];
        }
        return new self($tokens);
    }

    public function seconds(): float
    {
        return array_sum(array_column($this->tokens, 'after'));
    }

    public function text(): string
    {
        return implode('', array_column($this->tokens, 'token'));
    }

    /** The same words, so that all of them take so many seconds. */
    public function lasting(float $seconds): self
    {
        $factor = $seconds / $this->seconds();
        return new self(array_map(static fn (array $token): array => ['after' => $token['after'] * $factor] + $token, $this->tokens));
    }
}
