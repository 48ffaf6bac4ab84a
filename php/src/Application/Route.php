<?php

declare(strict_types=1);

namespace Stampede\Application;

/** What holds for requests of some paths. */
final readonly class Route
{
    /**
     * @param string $pattern as it was given: what reports call the route
     * @param int|null $maxBody bytes; null: as everywhere
     */
    public function __construct(public string $pattern, public IsolationMode $isolation, public float $timeout, public ?int $maxBody = null) {}
}
