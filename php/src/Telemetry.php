<?php

declare(strict_types=1);

namespace Stampede;

use Closure;
use Stampede\Telemetry\Instrumentation;
use Stampede\Telemetry\Jobs;

/**
 * OpenTelemetry for programs that the launcher does not run: scripts with coroutines and servers of their own. `stampede serve` does the same for the applications that it
 * serves.
 */
final class Telemetry
{
    /**
     * From now on each coroutine has a current context of its own, and begins with that of its creator; calls of databases, Redis and HTTP have spans wherever there is a
     * current span.
     *
     * @param bool $withValues whether statements have their values
     * @return bool false when the package open-telemetry/api is not installed: nothing has changed then
     */
    public static function start(bool $withValues = false): bool
    {
        if (!Instrumentation::isAvailable()) {
            return false;
        }
        Instrumentation::keepContexts();
        Instrumentation::observeCalls(null, $withValues);
        return true;
    }

    /**
     * What job() needs to know of the code that runs: strings, which may be sent to another process with the data of a task.
     *
     * @return array<string, string>
     */
    public static function carrier(): array
    {
        return Instrumentation::isAvailable() ? Jobs::carrier() : [];
    }

    /**
     * Does work that stands for itself: a task, or what goes on after the response of the request that has asked for it. It has a trace of its own, whose span has a link
     * to that request.
     *
     * @template T
     * @param array<string, string> $carrier of carrier(), where the work was asked for
     * @param Closure(): T $work
     * @return T
     */
    public static function job(string $name, array $carrier, Closure $work): mixed
    {
        return Instrumentation::isAvailable() ? Jobs::run($name, $carrier, $work) : $work();
    }
}
