<?php

declare(strict_types=1);

namespace Stampede\Loop;

use Revolt\EventLoop\CallbackType;

/** @internal */
final class RevoltCallback
{
    public bool $enabled = false;
    public bool $referenced = true;
    /** Of Swoole\Timer or LoopControl, null while it has none there. */
    public ?int $native = null;

    /** @param resource|null $stream */
    public function __construct(
        public readonly string $id,
        public readonly CallbackType $type,
        public readonly \Closure $closure,
        public readonly mixed $stream = null,
        public readonly float $seconds = 0.0,
        public readonly int $signal = 0,
    ) {
    }
}
