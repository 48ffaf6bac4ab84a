<?php

declare(strict_types=1);

namespace Stampede\Application;

/** An application that was found, with what the user is told about it. */
final readonly class Detection
{
    /**
     * @param string $because what it was found by; empty: the user has said what it is
     * @param string $doubt a sentence about what else could be meant; empty: nothing
     */
    public function __construct(public ApplicationDescriptor $application, public string $because, public string $doubt) {}
}
