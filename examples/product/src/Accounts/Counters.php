<?php

declare(strict_types=1);

namespace Paddock\Accounts;

/** Counts for a while what happens, in all workers together. */
interface Counters
{
    /** @return int how often it has happened since its time began, this one included */
    public function hit(string $what, int $seconds): int;

    public function clear(string $what): void;
}
