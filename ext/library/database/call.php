<?php

declare(strict_types=1);

namespace Stampede\Database;

use Closure;
use Stampede\Blocking;
use Swoole\Coroutine;
use Swoole\Error;
use Swoole\Timer;

/**
 * One call of a blocking driver, waiting in the coroutine.
 *
 * @internal
 */
final class Call
{
    /** Whether the time was over before $work was. */
    public bool $isLate = false;

    /**
     * Gives what $work gives. After $timeout seconds (not above 0: without limit) its waits fail, as if the connection
     * was lost.
     */
    public function within(float $timeout, Closure $work): mixed
    {
        $cid = Coroutine::getCid();
        if ($cid <= 0) {
            throw new Error('API must be called in the coroutine', SWOOLE_ERROR_CO_OUT_OF_COROUTINE);
        }
        if ($timeout <= 0) {
            return Blocking::wait($work);
        }
        // Again and again: what gives up one wait may begin another.
        $timer = Timer::tick(max(1, (int) ($timeout * 1000)), function () use ($cid): void {
            $this->isLate = true;
            Coroutine::cancel($cid);
        });
        try {
            return Blocking::wait($work);
        } finally {
            Timer::clear($timer);
        }
    }

    /** A client that the coroutine $user waits with is wanted by another. */
    public static function refuse(string $client, int $user): never
    {
        $own = Coroutine::getCid();
        throw new Error("$client client has already been bound to another coroutine#$user, which is waiting for a reply in " . self::placeOf($user)
            . "; use of the same client in coroutine#$own at the same time, in " . self::placeOf($own)
            . ', is not allowed: give each coroutine a client of its own', SWOOLE_ERROR_CO_HAS_BEEN_BOUND);
    }

    /** File and line of the script, not of the classes that the extension brings. */
    private static function placeOf(int $cid): string
    {
        foreach (Coroutine::getBackTrace($cid, DEBUG_BACKTRACE_IGNORE_ARGS) ?: [] as $frame) {
            if (isset($frame['file']) && !str_starts_with($frame['file'], 'stampede://')) {
                return "$frame[file]:$frame[line]";
            }
        }
        return '[internal function]';
    }

    /** What an application has set for all sockets, in seconds. */
    public static function usualTimeout(string $option, float $otherwise): float
    {
        $options = Coroutine::getOptions() ?? [];
        return (float) ($options[$option] ?? $options['socket_timeout'] ?? $otherwise);
    }
}
