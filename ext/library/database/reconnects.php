<?php

declare(strict_types=1);

namespace Stampede\Database;

use Closure;
use Swoole\Coroutine;
use Swoole\Coroutine\CanceledException;
use Swoole\Coroutine\TimeoutException;
use Swoole\Database\DetectsLostConnections;
use Swoole\Database\ObjectProxy;
use Throwable;

/**
 * What the proxies of connections share: a lost connection is made again, but never inside a transaction, which
 * cannot go on elsewhere. A statement is sent a second time only when that cannot do its work twice: it reads, or the
 * server refused to begin with it. Therefore a connection that was quiet for a while is tried before use.
 *
 * @internal
 */
trait Reconnects
{
    /** How often it was made. */
    protected int $round = 0;

    /** Calls under way: who gives it back then is not the one who uses it. */
    private int $calls = 0;

    /** Known to be dead, and made again before the next call. */
    private bool $stale = false;

    /** Lost inside a transaction, which its user has not ended yet. */
    private bool $lostInside = false;

    private int $usedAt = 0;

    /** Makes the connection again, with all that was set on it. */
    abstract public function reconnect(): void;

    /** By what the server or the calls so far say. */
    abstract protected function isInside(): bool;

    /** Asks the server for anything, to see whether it is there. */
    abstract protected function ping(): bool;

    /** What a connection or statement says about its last call, as an exception. */
    abstract protected function lastError(object $source): ?Throwable;

    public function getRound(): int
    {
        return $this->round;
    }

    /**
     * Makes a call that waits for the server.
     *
     * @internal for the connection and its statements
     */
    public function perform(Closure $call, bool $isRepeatable, ?ObjectProxy $of = null): mixed
    {
        $inside = $this->lostInside || (!$this->stale && $this->isInside());
        if (!$inside) {
            $this->revive();
        }
        $error = null;
        $result = false;
        $this->calls++;
        try {
            $result = $call();
            $failure = $result === false ? $this->lastError(($of ?? $this)->__getObject()) : null;
        } catch (Throwable $error) {
            $failure = $error;
        } finally {
            $this->calls--;
            $this->usedAt = hrtime(true);
        }
        if ($failure !== null && (self::isLoss($failure) || self::wasGivenUp($failure))) {
            $this->lostInside = $inside;
            $this->stale = !$inside;
            if (!$inside && !self::wasGivenUp($failure) && ($isRepeatable || self::wasRefused($failure))) {
                return $this->repeat($call);
            }
        }
        return $error !== null ? throw $error : $result;
    }

    /**
     * Whether another may have it: nobody is in a call, it is not known to be dead.
     *
     * @internal for pools
     */
    public function isReusable(): bool
    {
        return $this->calls === 0 && !$this->stale && !$this->lostInside;
    }

    /** Whether a statement only reads, as far as its text tells. @internal */
    public static function reads(string $sql): bool
    {
        $start = '/^(?:\s|\(|\/\*.*?\*\/|(?:--|#)[^\n]*\n)*(?:SELECT|SHOW|EXPLAIN|DESC|DESCRIBE|VALUES|PRAGMA|USE|SET|BEGIN|START)\b/is';
        return preg_match($start, $sql) === 1 && preg_match('/;\s*\S|\bINTO\b|\bnextval\b|_lock\s*\(/i', $sql) !== 1;
    }

    private function repeat(Closure $call): mixed
    {
        $this->revive();
        $this->calls++;
        try {
            return $call();
        } finally {
            $this->calls--;
        }
    }

    /** The transaction is over, whatever became of it. */
    private function leave(): void
    {
        if ($this->lostInside) {
            $this->lostInside = false;
            $this->stale = true;
        }
    }

    private function revive(): void
    {
        $now = hrtime(true);
        if (!$this->stale && $now - $this->usedAt > 1_000_000_000) {
            $this->stale = !$this->ping();
            $this->usedAt = $now;
        }
        if ($this->stale) {
            $this->reconnect();
            $this->stale = false;
            $this->usedAt = hrtime(true);
        }
    }

    private static function isLoss(Throwable $error): bool
    {
        return DetectsLostConnections::causedByLostConnection($error) || self::wasRefused($error)
            || preg_match('/SQLSTATE\[(?:08|57P0[1-3])/', $error->getMessage()) === 1
            || in_array($error->getCode(), [2002, 2006, 2013, 2055], true);
    }

    /** The coroutine was cancelled or out of time: a reply that is still to come is nobody's. */
    private static function wasGivenUp(Throwable $error): bool
    {
        for ($cause = $error; $cause !== null; $cause = $cause->getPrevious()) {
            if ($cause instanceof CanceledException || $cause instanceof TimeoutException) {
                return true;
            }
        }
        return Coroutine::getCid() > 0 && Coroutine::isCanceled();
    }

    /** The server says that it did nothing: it ends, has ended the connection, or may only be read. */
    private static function wasRefused(Throwable $error): bool
    {
        $state = '/^SQLSTATE\[(?:25006|57P0[1-3])\]|^SQLSTATE\[\w+\]: [^:]*: (?:1053|1290|1927|4031)\b|FATAL: +terminating connection/m';
        return in_array($error->getCode(), [1053, 1290, 1927, 4031], true) || preg_match($state, $error->getMessage()) === 1;
    }
}
