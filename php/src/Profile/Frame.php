<?php

declare(strict_types=1);

namespace Stampede\Profile;

/** A line of a function; functions of extensions and waits have none. */
final readonly class Frame
{
    public function __construct(public string $name, public string $file, public int $line) {}

    public function place(): string
    {
        return $this->file === '' ? '' : "{$this->file}:{$this->line}";
    }

    public function isWait(): bool
    {
        return str_starts_with($this->name, '[waits: ');
    }
}
