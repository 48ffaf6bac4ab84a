<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Closure;

/** Has this worker replaced by a new one, once. */
final class WorkerReplacement
{
    private bool $isRequested = false;

    /** @param Closure(): mixed $replace */
    public function __construct(private readonly Closure $replace) {}

    public function request(): void
    {
        if (!$this->isRequested) {
            $this->isRequested = true;
            ($this->replace)();
        }
    }
}
