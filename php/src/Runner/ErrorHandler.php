<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;

/**
 * What an application's boot has given to set_error_handler(). A handler belongs to the coroutine that sets it, which was that of the boot: each
 * request's coroutine is given it, too.
 */
final readonly class ErrorHandler
{
    /** @param Closure|null $function null: there is none */
    private function __construct(private ?Closure $function) {}

    /** At the end of the boot. */
    public static function present(): self
    {
        $function = set_error_handler(null);
        restore_error_handler();
        return new self($function === null ? null : Closure::fromCallable($function));
    }

    /** In a request. */
    public function install(): void
    {
        if ($this->function !== null) {
            set_error_handler($this->function);
        }
    }
}
