<?php

declare(strict_types=1);

namespace Stampede;

use Stampede\Telemetry\Instrumentation;

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
}
