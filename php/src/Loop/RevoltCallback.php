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

    /** @var resource|null */
    public mixed $stream = null;
    public float $seconds = 0.0;
    public int $signal = 0;

    public function __construct(
        public readonly string $id,
        public readonly CallbackType $type,
        public readonly \Closure $closure,
    ) {
    }
}
