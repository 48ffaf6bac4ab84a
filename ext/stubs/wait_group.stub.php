<?php

/** @generate-class-entries */

namespace Swoole\Coroutine;

/** Waits until as many done() as add() were called. */
class WaitGroup
{
    protected Channel $chan;

    protected int $count = 0;

    protected bool $waiting = false;

    public function __construct(int $delta = 0) {}

    public function add(int $delta = 1): void {}

    public function done(): void {}

    public function wait(float $timeout = -1): bool {}

    public function count(): int {}
}
