<?php

/** @generate-class-entries */

namespace Swoole\Coroutine;

/** A bounded queue between the coroutines of one process. Waiting coroutines are served in order. */
class Channel
{
    /** @var int */
    public $capacity = 0;

    /**
     * One of SWOOLE_CHANNEL_*: how the last push() or pop() ended.
     * @var int
     */
    public $errCode = 0;

    public function __construct(int $size = 1) {}

    /** Waits while the channel is full, at most $timeout seconds (-1: without limit). */
    public function push(mixed $data, float $timeout = -1): bool {}

    /** Waits while the channel is empty, at most $timeout seconds; false when there is nothing to come. */
    public function pop(float $timeout = -1): mixed {}

    public function isEmpty(): bool {}

    public function isFull(): bool {}

    /** Waiting coroutines go on with false; what is inside can still be popped. */
    public function close(): bool {}

    public function stats(): array {}

    public function length(): int {}
}
