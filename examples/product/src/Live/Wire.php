<?php

declare(strict_types=1);

namespace Paddock\Live;

use Closure;

/** Carries messages to all workers that serve the same data, the sender's own one included. */
interface Wire
{
    public function send(string $message): void;

    /**
     * Returns at once.
     *
     * @param Closure(string): void $receive
     * @param Closure(): void $began what is sent from now on is received; what was sent before, and while the connection was lost, was not
     */
    public function listen(Closure $receive, Closure $began): void;
}
