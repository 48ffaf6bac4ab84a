<?php

declare(strict_types=1);

namespace App;

/** Counts until it is reset, which Symfony does between two requests. */
final class Counter
{
    public bool $fails = false;
    private int $count = 0;

    public function count(): int
    {
        return ++$this->count;
    }

    public function reset(): void
    {
        if ($this->fails) {
            throw new \RuntimeException('no reset');
        }
        $this->count = 0;
    }
}
