<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;

/** A runner whose application keeps nothing of a request: what each kind need not do. */
abstract class AbstractRunner implements Runner
{
    public function reset(): void {}

    public function beginFrameworkOnly(): ?string
    {
        return null;
    }

    public function endFrameworkOnly(): void {}

    public function prepareNextRequest(): void {}

    public function atShutdown(Closure $function): void {}
}
