<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Exception\LaunchException;
use Stampede\Runner\Runner;

/** Handles the requests of a worker in processes that a program outside of the worker forks. */
interface ProcessRunner extends Runner
{
    /**
     * @return bool false when the program that forks is gone
     * @throws LaunchException
     */
    public function open(): bool;

    /** The worker is on its way out: processes without a request end at once, the others after it. */
    public function leave(): void;

    /** Ends all processes. */
    public function close(): void;
}
