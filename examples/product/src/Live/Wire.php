<?php

declare(strict_types=1);

namespace Paddock\Live;

use Closure;

/** Carries messages to all workers that serve the same data, the sender's own one included. */
interface Wire
{
    public function send(string $message): void;

    /** @param Closure(string): void $receive */
    public function listen(Closure $receive): void;
}
