<?php

declare(strict_types=1);

namespace App\Service;

/** One of many services, each of which needs the one before it. */
final class Step
{
    public function __construct(private readonly int $number, private readonly ?self $before)
    {
    }

    public function sum(): int
    {
        return $this->number + ($this->before?->sum() ?? 0);
    }
}
