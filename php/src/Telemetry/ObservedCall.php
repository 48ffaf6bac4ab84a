<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

/** A call that has a span: what is known before it is made. */
final readonly class ObservedCall
{
    /**
     * @param array<non-empty-string, string|int> $attributes
     * @param bool $isRemote whether another program is called
     */
    public function __construct(public string $name, public array $attributes, public bool $isRemote = true) {}
}
