// Made by tools/gen-library from ext/library/*.php; not to be edited.
#pragma once

#include "library/library.h"

namespace stampede::library {

// clang-format off
inline constexpr Source kSources[] = {
    {"stampede\\database\\call", "stampede://database/call.php",
     R"~~~(<?php

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
        throw new Error("$client client has already been bound to another coroutine#$user, which is waiting for an answer in " . self::placeOf($user)
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
)~~~"},
    {"stampede\\database\\lobstream", "stampede://database/lob_stream.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Stampede\Database;

use Closure;
use PgSql\Lob;

/**
 * A large object of PostgreSQL as a stream.
 *
 * @internal
 */
final class LobStream
{
    /** @var resource|null */
    public $context;

    private const NAME = 'stampede-lob';

    private Lob $lob;

    /** @var Closure(Closure): mixed makes a call of the connection */
    private Closure $ask;

    private bool $isOver = false;

    /** @return resource|false */
    public static function of(Lob $lob, Closure $ask)
    {
        if (!in_array(self::NAME, stream_get_wrappers(), true)) {
            stream_wrapper_register(self::NAME, self::class);
        }
        return fopen(self::NAME . '://', 'r+b', false, stream_context_create([self::NAME => ['lob' => $lob, 'ask' => $ask]]));
    }

    public function stream_open(string $path, string $mode, int $options, ?string &$opened): bool
    {
        $given = stream_context_get_options($this->context)[self::NAME];
        [$this->lob, $this->ask] = [$given['lob'], $given['ask']];
        return true;
    }

    public function stream_read(int $count): string|false
    {
        $bytes = ($this->ask)(fn (): string|false => @pg_lo_read($this->lob, $count));
        $this->isOver = $bytes === '' || $bytes === false;
        return $bytes;
    }

    public function stream_write(string $bytes): int
    {
        $written = ($this->ask)(fn (): int|false => @pg_lo_write($this->lob, $bytes));
        return is_int($written) ? $written : 0;
    }

    public function stream_eof(): bool
    {
        return $this->isOver;
    }

    public function stream_tell(): int
    {
        return (int) ($this->ask)(fn (): int => pg_lo_tell($this->lob));
    }

    public function stream_seek(int $offset, int $whence): bool
    {
        $this->isOver = false;
        return (bool) ($this->ask)(fn (): bool => pg_lo_seek($this->lob, $offset, $whence));
    }

    public function stream_flush(): bool
    {
        return true;
    }

    public function stream_close(): void
    {
        ($this->ask)(fn (): bool => @pg_lo_close($this->lob));
    }

    /** @return array<string, int> */
    public function stream_stat(): array
    {
        return [];
    }
}
)~~~"},
    {"stampede\\database\\reconnects", "stampede://database/reconnects.php",
     R"~~~(<?php

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

    /** The coroutine was cancelled or out of time: an answer that is still to come is nobody's. */
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
)~~~"},
    {"stampede\\database\\rediscollections", "stampede://database/redis_collections.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Stampede\Database;

/**
 * Commands of Redis on hashes, lists, sets, sorted sets and streams. Each gives what the server answers: true for OK, an integer, a string, a list, null for
 * nothing, false for an error, which is in errCode and errMsg.
 *
 * @internal
 */
trait RedisCollections
{
    public function hDel($key, ...$members)
    {
        return $this->request(['HDEL', $key, ...$members]);
    }

    public function hSet($key, $member, $value)
    {
        return $this->request(['HSET', $key, $member, $this->pack($value)]);
    }

    public function hSetNx($key, $member, $value)
    {
        return $this->request(['HSETNX', $key, $member, $this->pack($value)]);
    }

    public function hMSet($key, array $pairs)
    {
        return $this->request(['HMSET', $key, ...$this->pairs($pairs)]);
    }

    public function hGet($key, $member)
    {
        return $this->request(['HGET', $key, $member]);
    }

    public function hExists($key, $member)
    {
        return $this->request(['HEXISTS', $key, $member]);
    }

    public function hLen($key)
    {
        return $this->request(['HLEN', $key]);
    }

    public function hKeys($key)
    {
        return $this->request(['HKEYS', $key]);
    }

    public function hVals($key)
    {
        return $this->request(['HVALS', $key]);
    }

    public function hIncrBy($key, $member, $number)
    {
        return $this->request(['HINCRBY', $key, $member, $number]);
    }

    public function hIncrByFloat($key, $member, $number)
    {
        return $this->request(['HINCRBYFLOAT', $key, $member, $number]);
    }

    public function hStrLen($key, $member)
    {
        return $this->request(['HSTRLEN', $key, $member]);
    }

    public function lPush($key, ...$values)
    {
        return $this->request(['LPUSH', $key, ...$values]);
    }

    public function rPush($key, ...$values)
    {
        return $this->request(['RPUSH', $key, ...$values]);
    }

    public function lPushx($key, $value)
    {
        return $this->request(['LPUSHX', $key, $this->pack($value)]);
    }

    public function rPushx($key, $value)
    {
        return $this->request(['RPUSHX', $key, $this->pack($value)]);
    }

    public function lPop($key)
    {
        return $this->request(['LPOP', $key]);
    }

    public function rPop($key)
    {
        return $this->request(['RPOP', $key]);
    }

    public function blPop($key, ...$timeout_or_keys)
    {
        return $this->request(['BLPOP', $key, ...$timeout_or_keys]);
    }

    public function brPop($key, ...$timeout_or_keys)
    {
        return $this->request(['BRPOP', $key, ...$timeout_or_keys]);
    }

    public function bRPopLPush($source, $target, $timeout)
    {
        return $this->request(['BRPOPLPUSH', $source, $target, $timeout]);
    }

    public function rpoplpush($source, $target)
    {
        return $this->request(['RPOPLPUSH', $source, $target]);
    }

    public function lSize($key)
    {
        return $this->request(['LLEN', $key]);
    }

    public function lLen($key)
    {
        return $this->request(['LLEN', $key]);
    }

    public function lSet($key, $index, $value)
    {
        return $this->request(['LSET', $key, $index, $this->pack($value)]);
    }

    public function lGet($key, $index)
    {
        return $this->request(['LINDEX', $key, $index]);
    }

    public function lIndex($key, $index)
    {
        return $this->request(['LINDEX', $key, $index]);
    }

    public function lInsert($key, $position, $pivot, $value)
    {
        return $this->request(['LINSERT', $key, $position, $pivot, $this->pack($value)]);
    }

    public function lRange($key, $start, $end)
    {
        return $this->request(['LRANGE', $key, $start, $end]);
    }

    public function lGetRange($key, $start, $end)
    {
        return $this->request(['LRANGE', $key, $start, $end]);
    }

    public function ltrim($key, $start, $stop)
    {
        return $this->request(['LTRIM', $key, $start, $stop]);
    }

    public function listTrim($key, $start, $stop)
    {
        return $this->request(['LTRIM', $key, $start, $stop]);
    }

    public function sAdd($key, ...$values)
    {
        return $this->request(['SADD', $key, ...$values]);
    }

    public function srem($key, ...$values)
    {
        return $this->request(['SREM', $key, ...$values]);
    }

    public function sRemove($key, ...$values)
    {
        return $this->request(['SREM', $key, ...$values]);
    }

    public function sSize($key)
    {
        return $this->request(['SCARD', $key]);
    }

    public function scard($key)
    {
        return $this->request(['SCARD', $key]);
    }

    public function sMembers($key)
    {
        return $this->request(['SMEMBERS', $key]);
    }

    public function sGetMembers($key)
    {
        return $this->request(['SMEMBERS', $key]);
    }

    public function sismember($key, $value)
    {
        return $this->request(['SISMEMBER', $key, $this->pack($value)]);
    }

    public function sContains($key, $value)
    {
        return $this->request(['SISMEMBER', $key, $this->pack($value)]);
    }

    public function sMove($source, $target, $value)
    {
        return $this->request(['SMOVE', $source, $target, $this->pack($value)]);
    }

    public function sDiff($key, ...$others)
    {
        return $this->request(['SDIFF', $key, ...$others]);
    }

    public function sDiffStore($target, $key, ...$others)
    {
        return $this->request(['SDIFFSTORE', $target, $key, ...$others]);
    }

    public function sUnion($key, ...$others)
    {
        return $this->request(['SUNION', $key, ...$others]);
    }

    public function sUnionStore($target, $key, ...$others)
    {
        return $this->request(['SUNIONSTORE', $target, $key, ...$others]);
    }

    public function sInter($key, ...$others)
    {
        return $this->request(['SINTER', $key, ...$others]);
    }

    public function sInterStore($target, $key, ...$others)
    {
        return $this->request(['SINTERSTORE', $target, $key, ...$others]);
    }

    public function zAdd($key, $score, $value, ...$more)
    {
        return $this->request(['ZADD', $key, $score, $value, ...$more]);
    }

    public function zRem($key, ...$members)
    {
        return $this->request(['ZREM', $key, ...$members]);
    }

    public function zDelete($key, ...$members)
    {
        return $this->request(['ZREM', $key, ...$members]);
    }

    public function zRemove($key, ...$members)
    {
        return $this->request(['ZREM', $key, ...$members]);
    }

    public function zCard($key)
    {
        return $this->request(['ZCARD', $key]);
    }

    public function zSize($key)
    {
        return $this->request(['ZCARD', $key]);
    }

    public function zScore($key, $member)
    {
        return $this->request(['ZSCORE', $key, $member]);
    }

    public function zRank($key, $member)
    {
        return $this->request(['ZRANK', $key, $member]);
    }

    public function zRevRank($key, $member)
    {
        return $this->request(['ZREVRANK', $key, $member]);
    }

    public function zIncrBy($key, $value, $member)
    {
        return $this->request(['ZINCRBY', $key, $value, $member]);
    }

    public function zCount($key, $min, $max)
    {
        return $this->request(['ZCOUNT', $key, $min, $max]);
    }

    public function zRemRangeByScore($key, $min, $max)
    {
        return $this->request(['ZREMRANGEBYSCORE', $key, $min, $max]);
    }

    public function zDeleteRangeByScore($key, $min, $max)
    {
        return $this->request(['ZREMRANGEBYSCORE', $key, $min, $max]);
    }

    public function zRemRangeByRank($key, $min, $max)
    {
        return $this->request(['ZREMRANGEBYRANK', $key, $min, $max]);
    }

    public function zDeleteRangeByRank($key, $min, $max)
    {
        return $this->request(['ZREMRANGEBYRANK', $key, $min, $max]);
    }

    public function bzPopMin($key, ...$timeout_or_keys)
    {
      )~~~"
     R"~~~(  return $this->request(['BZPOPMIN', $key, ...$timeout_or_keys]);
    }

    public function bzPopMax($key, ...$timeout_or_keys)
    {
        return $this->request(['BZPOPMAX', $key, ...$timeout_or_keys]);
    }

    public function xLen($key)
    {
        return $this->request(['XLEN', $key]);
    }

    public function xDel($key, array $ids)
    {
        return $this->request(['XDEL', $key, ...array_values($ids)]);
    }

    public function xAck($key, $group, array $ids)
    {
        return $this->request(['XACK', $key, $group, ...array_values($ids)]);
    }

    public function lRem($key, $value, $count = 0)
    {
        return $this->request(['LREM', $key, $count, $this->pack($value)]);
    }

    public function lRemove($key, $value, $count = 0)
    {
        return $this->request(['LREM', $key, $count, $this->pack($value)]);
    }

    public function sPop($key, $count = null)
    {
        return $this->request(['SPOP', $key, ...($count === null ? [] : [$count])]);
    }

    public function sRandMember($key, $count = null)
    {
        return $this->request(['SRANDMEMBER', $key, ...($count === null ? [] : [$count])]);
    }

    /** A list of names and values in turn; with compatibility_mode, values by name. */
    public function hGetAll($key)
    {
        return $this->ask(['HGETALL', $key], $this->compatible ? self::paired(...) : null);
    }

    /** A list of values; with compatibility_mode, values by name. */
    public function hMGet($key, array $keys)
    {
        $names = array_values($keys);
        $combine = static fn (array $values): array => array_combine($names, array_map(static fn (mixed $value): mixed => $value ?? false, $values));
        return $this->ask(['HMGET', $key, ...$names], $this->compatible ? $combine : null);
    }

    public function zRange($key, $start, $end, $withscores = null)
    {
        return $this->ask(['ZRANGE', $key, $start, $end, ...($withscores ? ['WITHSCORES'] : [])], $withscores && $this->compatible ? self::scored(...) : null);
    }

    public function zRevRange($key, $start, $end, $withscores = null)
    {
        return $this->ask(['ZREVRANGE', $key, $start, $end, ...($withscores ? ['WITHSCORES'] : [])], $withscores && $this->compatible ? self::scored(...) : null);
    }

    /** Takes the options withscores and limit => [offset, count]. */
    public function zRangeByScore($key, $start, $end, array $options = [])
    {
        $scored = !empty($options['withscores']);
        return $this->ask(['ZRANGEBYSCORE', $key, $start, $end, ...($scored ? ['WITHSCORES'] : []), ...self::limit($options['limit'] ?? null)], $scored && $this->compatible ? self::scored(...) : null);
    }

    /** Takes the options withscores and limit => [offset, count]. */
    public function zRevRangeByScore($key, $start, $end, array $options = [])
    {
        $scored = !empty($options['withscores']);
        return $this->ask(['ZREVRANGEBYSCORE', $key, $start, $end, ...($scored ? ['WITHSCORES'] : []), ...self::limit($options['limit'] ?? null)], $scored && $this->compatible ? self::scored(...) : null);
    }

    public function zRangeByLex($key, $min, $max, $offset = null, $limit = null)
    {
        return $this->request(['ZRANGEBYLEX', $key, $min, $max, ...self::limit($offset === null ? null : [$offset, $limit])]);
    }

    public function zRevRangeByLex($key, $min, $max, $offset = null, $limit = null)
    {
        return $this->request(['ZREVRANGEBYLEX', $key, $min, $max, ...self::limit($offset === null ? null : [$offset, $limit])]);
    }

    public function zPopMin($key, $count = null)
    {
        return $this->ask(['ZPOPMIN', $key, ...($count === null ? [] : [$count])], $this->compatible ? self::scored(...) : null);
    }

    public function zPopMax($key, $count = null)
    {
        return $this->ask(['ZPOPMAX', $key, ...($count === null ? [] : [$count])], $this->compatible ? self::scored(...) : null);
    }

    public function zinterstore($key, array $keys, ?array $weights = null, $aggregate = null)
    {
        return $this->request(['ZINTERSTORE', $key, count($keys), ...array_values($keys), ...($weights === null ? [] : ['WEIGHTS', ...array_values($weights)]), ...($aggregate === null ? [] : ['AGGREGATE', $aggregate])]);
    }

    public function zInter($key, array $keys, ?array $weights = null, $aggregate = null)
    {
        return $this->request(['ZINTERSTORE', $key, count($keys), ...array_values($keys), ...($weights === null ? [] : ['WEIGHTS', ...array_values($weights)]), ...($aggregate === null ? [] : ['AGGREGATE', $aggregate])]);
    }

    public function zunionstore($key, array $keys, ?array $weights = null, $aggregate = null)
    {
        return $this->request(['ZUNIONSTORE', $key, count($keys), ...array_values($keys), ...($weights === null ? [] : ['WEIGHTS', ...array_values($weights)]), ...($aggregate === null ? [] : ['AGGREGATE', $aggregate])]);
    }

    public function zUnion($key, array $keys, ?array $weights = null, $aggregate = null)
    {
        return $this->request(['ZUNIONSTORE', $key, count($keys), ...array_values($keys), ...($weights === null ? [] : ['WEIGHTS', ...array_values($weights)]), ...($aggregate === null ? [] : ['AGGREGATE', $aggregate])]);
    }

    public function xAdd($key, $id, array $pairs, array $options = [])
    {
        return $this->request(['XADD', $key, ...(isset($options['maxlen']) ? ['MAXLEN', $options['maxlen']] : []), $id, ...$this->pairs($pairs)]);
    }

    public function xRange($key, $start, $end, $count = null)
    {
        return $this->request(['XRANGE', $key, $start, $end, ...($count === null ? [] : ['COUNT', $count])]);
    }

    public function xRevRange($key, $start, $end, $count = null)
    {
        return $this->request(['XREVRANGE', $key, $start, $end, ...($count === null ? [] : ['COUNT', $count])]);
    }

    /** Takes ids by stream, and the options count and block (milliseconds). */
    public function xRead(array $streams, array $options = [])
    {
        return $this->request(['XREAD', ...self::named($options, ['count', 'block']), 'STREAMS', ...array_keys($streams), ...array_values($streams)]);
    }

    public function xReadGroup($group, $consumer, array $streams, array $options = [])
    {
        return $this->request(['XREADGROUP', 'GROUP', $group, $consumer, ...self::named($options, ['count', 'block']), 'STREAMS', ...array_keys($streams), ...array_values($streams)]);
    }

    public function xGroupCreate($key, $group, $id, $mkstream = false)
    {
        return $this->request(['XGROUP', 'CREATE', $key, $group, $id, ...($mkstream ? ['MKSTREAM'] : [])]);
    }

    /** @param list<mixed> $list names and values in turn. @return array<string, mixed> */
    private static function paired(array $list): array
    {
        $paired = [];
        for ($i = 0; $i + 1 < count($list); $i += 2) {
            $paired[(string) $list[$i]] = $list[$i + 1];
        }
        return $paired;
    }

    /** @param list<mixed> $list members and scores in turn. @return array<string, float> */
    private static function scored(array $list): array
    {
        return array_map(static fn (mixed $score): float => (float) $score, self::paired($list));
    }

    /** @param array{int, int}|null $limit @return list<mixed> */
    private static function limit(?array $limit): array
    {
        return $limit === null ? [] : ['LIMIT', ...array_values($limit)];
    }

    /** @param array<string, mixed> $options @param list<string> $names @return list<mixed> */
    private static function named(array $options, array $names): array
    {
        $list = [];
        foreach ($names as $name) {
            if (isset($options[$name])) {
                array_push($list, strtoupper($name), $options[$name]);
            }
        }
        return $list;
    }
}
)~~~"},
    {"stampede\\database\\rediskeys", "stampede://database/redis_keys.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Stampede\Database;

/**
 * Commands of Redis on keys, strings and the server. Each gives what the server answers: true for OK, an integer, a string, a list, null for
 * nothing, false for an error, which is in errCode and errMsg.
 *
 * @internal
 */
trait RedisKeys
{
    public function get($key)
    {
        return $this->request(['GET', $key]);
    }

    public function mGet(array $keys)
    {
        return $this->request(['MGET', ...array_values($keys)]);
    }

    public function mSet(array $pairs)
    {
        return $this->request(['MSET', ...$this->pairs($pairs)]);
    }

    public function mSetNx(array $pairs)
    {
        return $this->request(['MSETNX', ...$this->pairs($pairs)]);
    }

    public function getSet($key, $value)
    {
        return $this->request(['GETSET', $key, $this->pack($value)]);
    }

    public function setNx($key, $value)
    {
        return $this->request(['SETNX', $key, $this->pack($value)]);
    }

    public function setEx($key, $expire, $value)
    {
        return $this->request(['SETEX', $key, $expire, $this->pack($value)]);
    }

    public function psetEx($key, $expire, $value)
    {
        return $this->request(['PSETEX', $key, $expire, $this->pack($value)]);
    }

    public function append($key, $value)
    {
        return $this->request(['APPEND', $key, $value]);
    }

    public function strLen($key)
    {
        return $this->request(['STRLEN', $key]);
    }

    public function getRange($key, $start, $end)
    {
        return $this->request(['GETRANGE', $key, $start, $end]);
    }

    public function setRange($key, $offset, $value)
    {
        return $this->request(['SETRANGE', $key, $offset, $value]);
    }

    public function getBit($key, $offset)
    {
        return $this->request(['GETBIT', $key, $offset]);
    }

    public function setBit($key, $offset, $value)
    {
        return $this->request(['SETBIT', $key, $offset, $value]);
    }

    public function bitCount($key)
    {
        return $this->request(['BITCOUNT', $key]);
    }

    public function bitOp($operation, $ret_key, ...$keys)
    {
        return $this->request(['BITOP', $operation, $ret_key, ...$keys]);
    }

    public function incr($key)
    {
        return $this->request(['INCR', $key]);
    }

    public function incrBy($key, $number)
    {
        return $this->request(['INCRBY', $key, $number]);
    }

    public function incrByFloat($key, $number)
    {
        return $this->request(['INCRBYFLOAT', $key, $number]);
    }

    public function decr($key)
    {
        return $this->request(['DECR', $key]);
    }

    public function decrBy($key, $number)
    {
        return $this->request(['DECRBY', $key, $number]);
    }

    public function del($key, ...$others)
    {
        return $this->request(['DEL', $key, ...$others]);
    }

    public function delete($key, ...$others)
    {
        return $this->request(['DEL', $key, ...$others]);
    }

    public function getKeys($pattern)
    {
        return $this->request(['KEYS', $pattern]);
    }

    public function keys($pattern)
    {
        return $this->request(['KEYS', $pattern]);
    }

    public function exists($key, ...$others)
    {
        return $this->request(['EXISTS', $key, ...$others]);
    }

    public function type($key)
    {
        return $this->request(['TYPE', $key]);
    }

    public function persist($key)
    {
        return $this->request(['PERSIST', $key]);
    }

    public function ttl($key)
    {
        return $this->request(['TTL', $key]);
    }

    public function pttl($key)
    {
        return $this->request(['PTTL', $key]);
    }

    public function expire($key, $seconds)
    {
        return $this->request(['EXPIRE', $key, $seconds]);
    }

    public function setTimeout($key, $seconds)
    {
        return $this->request(['EXPIRE', $key, $seconds]);
    }

    public function pexpire($key, $milliseconds)
    {
        return $this->request(['PEXPIRE', $key, $milliseconds]);
    }

    public function expireAt($key, $time)
    {
        return $this->request(['EXPIREAT', $key, $time]);
    }

    public function pexpireAt($key, $time)
    {
        return $this->request(['PEXPIREAT', $key, $time]);
    }

    public function move($key, $database)
    {
        return $this->request(['MOVE', $key, $database]);
    }

    public function rename($key, $newkey)
    {
        return $this->request(['RENAME', $key, $newkey]);
    }

    public function renameKey($key, $newkey)
    {
        return $this->request(['RENAME', $key, $newkey]);
    }

    public function renameNx($key, $newkey)
    {
        return $this->request(['RENAMENX', $key, $newkey]);
    }

    public function randomKey()
    {
        return $this->request(['RANDOMKEY']);
    }

    public function dump($key)
    {
        return $this->request(['DUMP', $key]);
    }

    public function restore($key, $ttl, $value)
    {
        return $this->request(['RESTORE', $key, $ttl, $value]);
    }

    public function pfadd($key, array $elements)
    {
        return $this->request(['PFADD', $key, ...array_values($elements)]);
    }

    public function pfmerge($ret_key, array $keys)
    {
        return $this->request(['PFMERGE', $ret_key, ...array_values($keys)]);
    }

    public function ping()
    {
        return $this->request(['PING']);
    }

    public function publish($channel, $message)
    {
        return $this->request(['PUBLISH', $channel, $message]);
    }

    public function save()
    {
        return $this->request(['SAVE']);
    }

    public function bgSave()
    {
        return $this->request(['BGSAVE']);
    }

    public function lastSave()
    {
        return $this->request(['LASTSAVE']);
    }

    public function flushDB()
    {
        return $this->request(['FLUSHDB']);
    }

    public function flushAll()
    {
        return $this->request(['FLUSHALL']);
    }

    public function dbSize()
    {
        return $this->request(['DBSIZE']);
    }

    public function bgrewriteaof()
    {
        return $this->request(['BGREWRITEAOF']);
    }

    public function time()
    {
        return $this->request(['TIME']);
    }

    public function role()
    {
        return $this->request(['ROLE']);
    }

    public function multi()
    {
        return $this->request(['MULTI']);
    }

    public function exec()
    {
        return $this->request(['EXEC']);
    }

    public function discard()
    {
        return $this->request(['DISCARD']);
    }

    public function watch($key, ...$others)
    {
        return $this->request(['WATCH', $key, ...$others]);
    }

    public function unwatch()
    {
        return $this->request(['UNWATCH']);
    }

    public function script($command, ...$arguments)
    {
        return $this->request(['SCRIPT', $command, ...$arguments]);
    }

    public function debug($command, ...$arguments)
    {
        return $this->request(['DEBUG', $command, ...$arguments]);
    }

    public function pfcount($keys)
    {
        return $this->request(['PFCOUNT', ...array_values((array) $keys)]);
    }

    /** $timeout is seconds, or options as ['nx', 'ex' => 10]. */
    public function set($key, $value, $timeout = null, $opt = null)
    {
        return $this->request(['SET', $key, $this->pack($value), ...self::lifetime($timeout), ...self::lifetime($opt)]);
    }

    /** The first $num_keys of $args are keys. */
    public function eval($script, array $args = [], int $num_keys = 0)
    {
        return $this->request(['EVAL', $script, $num_keys, ...array_values($args)]);
    }

    /** The first $num_keys of $args are keys. */
    public function evalSha($script_sha, array $args = [], int $num_keys = 0)
    {
        return $this->request(['EVALSHA', $script_sha, $num_keys, ...array_values($args)]);
    }

    /** @param array<string, mixed> $pairs @return list<mixed> */
    private function pairs(array $pairs): array
    {
        $list = [)~~~"
     R"~~~(];
        foreach ($pairs as $name => $value) {
            array_push($list, (string) $name, $this->pack($value));
        }
        return $list;
    }

    /** @return list<mixed> */
    private static function lifetime(mixed $options): array
    {
        if (!is_array($options)) {
            return is_numeric($options) && $options > 0 ? ['EX', (int) $options] : [];
        }
        $list = [];
        foreach ($options as $name => $value) {
            array_push($list, ...(is_int($name) ? [strtoupper((string) $value)] : [strtoupper($name), $value]));
        }
        return $list;
    }
}
)~~~"},
    {"stampede\\database\\redisreply", "stampede://database/redis_reply.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Stampede\Database;

use Swoole\Coroutine\Socket;

/**
 * Reads the answers of a Redis server. What a server announces reserves nothing: it is kept as it comes.
 *
 * @internal
 */
final class RedisReply
{
    public const NONE = 0;

    /** The server answered with an error, the connection goes on. */
    public const REFUSED = 1;

    public const FAILED = 2;

    public const CLOSED = 3;

    /** What came is not of this protocol. */
    public const FOREIGN = 4;

    private const EINVAL = 22;

    private const ECONNRESET = 104;

    private const LONGEST = 512 * 1024 * 1024;

    private const LONGEST_LINE = 64 * 1024;

    private const DEEPEST = 32;

    private const TYPES = ['string' => 1, 'set' => 2, 'list' => 3, 'zset' => 4, 'hash' => 5];

    /** Of the last answer. */
    public int $problem = self::NONE;

    public int $code = 0;

    public string $message = '';

    private string $buffer = '';

    private int $at = 0;

    private float $timeout = -1;

    public function __construct(private readonly Socket $socket)
    {
    }

    /** The next answer; false when there is a problem. Waits at most so many seconds for each part of it. */
    public function read(float $timeout): mixed
    {
        $this->timeout = $timeout;
        $this->problem = self::NONE;
        return $this->value(0);
    }

    private function value(int $depth): mixed
    {
        $line = $this->line();
        if ($line === null) {
            return false;
        }
        $text = substr($line, 1);
        switch ($line[0] ?? '') {
            case '+':
                return $text === 'OK' ? true : self::TYPES[$text] ?? $text;
            case '-':
                // Inside a list (of EXEC) an error is one of the values.
                return $depth > 0 ? false : $this->fail(self::REFUSED, 0, $text);
            case ':':
                return is_numeric($text) ? (int) $text : $this->foreign();
            case '$':
                return $this->bulk($text);
            case '*':
                return $this->list($text, $depth);
        }
        return $this->foreign();
    }

    private function bulk(string $size): mixed
    {
        if ($size === '-1') {
            return null;
        }
        if (!ctype_digit($size) || (int) $size > self::LONGEST) {
            return $this->foreign();
        }
        $length = (int) $size;
        while (strlen($this->buffer) - $this->at < $length + 2) {
            if (!$this->more()) {
                return false;
            }
        }
        $bytes = substr($this->buffer, $this->at, $length);
        if (substr_compare($this->buffer, "\r\n", $this->at + $length, 2) !== 0) {
            return $this->foreign();
        }
        $this->at += $length + 2;
        return $bytes;
    }

    private function list(string $size, int $depth): mixed
    {
        if ($size === '-1') {
            return null;
        }
        if (!ctype_digit($size) || $depth >= self::DEEPEST) {
            return $this->foreign();
        }
        $list = [];
        for ($left = (int) $size; $left > 0; $left--) {
            $list[] = $this->value($depth + 1);
            if ($this->problem !== self::NONE) {
                return false;
            }
        }
        return $list;
    }

    private function line(): ?string
    {
        $from = $this->at;
        while (($end = strpos($this->buffer, "\r\n", $from)) === false) {
            if (strlen($this->buffer) - $this->at > self::LONGEST_LINE || !$this->looksRight()) {
                $this->foreign();
                return null;
            }
            $seen = max(0, strlen($this->buffer) - $this->at - 1);
            if (!$this->more()) {
                return null;
            }
            $from = $this->at + $seen;
        }
        $line = substr($this->buffer, $this->at, $end - $this->at);
        $this->at = $end + 2;
        return $line;
    }

    /** Another protocol may never send an end of line. */
    private function looksRight(): bool
    {
        return $this->at >= strlen($this->buffer) || str_contains('+-:$*', $this->buffer[$this->at]);
    }

    private function more(): bool
    {
        $bytes = $this->socket->recv(65536, $this->timeout);
        if ($bytes === false) {
            $this->fail(self::FAILED, $this->socket->errCode, $this->socket->errMsg);
            return false;
        }
        if ($bytes === '') {
            $this->fail(self::CLOSED, self::ECONNRESET, 'Server closed the connection');
            return false;
        }
        if ($this->at > 0) {
            $this->buffer = substr($this->buffer, $this->at);
            $this->at = 0;
        }
        $this->buffer .= $bytes;
        return true;
    }

    private function foreign(): false
    {
        return $this->fail(self::FOREIGN, self::EINVAL, 'What the server sends is not the protocol of Redis');
    }

    private function fail(int $problem, int $code, string $message): false
    {
        $this->problem = $problem;
        $this->code = $code;
        $this->message = $message;
        return false;
    }
}
)~~~"},
    {"stampede\\http\\eventstream", "stampede://stampede/http/event_stream.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Stampede\Http;

use Swoole\Http\Response;
use Swoole\Timer;
use ValueError;
use WeakReference;

/**
 * Server-Sent Events: the answer that an EventSource in a browser reads. Begins the answer at once; every method that sends
 * returns false as soon as the client is gone. A client that reads slowly makes the sender wait.
 */
final class EventStream
{
    private bool $sending = false;
    private bool $quiet = true;
    private int $timer = 0;

    public function __construct(private readonly Response $response)
    {
        $response->header('Content-Type', 'text/event-stream');
        $response->header('Cache-Control', 'no-cache');
        $response->header('X-Accel-Buffering', 'no');  // proxies are not to collect it
        $response->write('');
    }

    public function __destruct()
    {
        $this->stopHeartbeat();
    }

    /**
     * One event. Lines of $data may end in any way. $retry: milliseconds after which a client that lost its connection comes back,
     * with $id in the field Last-Event-ID.
     */
    public function event(string $data, ?string $event = null, ?string $id = null, ?int $retry = null): bool
    {
        $text = self::field('event', $event) . self::field('id', $id) . ($retry === null ? '' : "retry: $retry\n");
        return $this->send($text . 'data: ' . self::lines($data, 'data: ') . "\n\n");
    }

    /** What clients ignore; shows that the connection is alive. */
    public function comment(string $text = ''): bool
    {
        return $this->send(': ' . self::lines($text, ': ') . "\n\n");
    }

    /** Sends a comment whenever nothing else was sent for so long, as proxies close connections that are silent. */
    public function heartbeat(float $seconds): void
    {
        if ($seconds < 0.001) {
            throw new ValueError('a heartbeat needs at least a millisecond');
        }
        $this->stopHeartbeat();
        $self = WeakReference::create($this);
        $this->timer = (int) Timer::tick((int) ($seconds * 1000), static function () use ($self): void {
            $self->get()?->beat();
        });
    }

    /** The client is there. */
    public function isOpen(): bool
    {
        return $this->response->isWritable();
    }

    /** Ends the answer. The client comes back after its retry time, unless the answer to that is 204. */
    public function close(): void
    {
        $this->stopHeartbeat();
        if ($this->response->isWritable()) {
            $this->response->end();
        }
    }

    private function beat(): void
    {
        if (!$this->isOpen()) {
            $this->stopHeartbeat();
        } elseif ($this->quiet && !$this->sending) {
            $this->comment();
        }
        $this->quiet = true;
    }

    private function stopHeartbeat(): void
    {
        if ($this->timer !== 0) {
            Timer::clear($this->timer);
            $this->timer = 0;
        }
    }

    private function send(string $text): bool
    {
        $this->quiet = false;
        if (!$this->isOpen()) {
            return false;
        }
        $this->sending = true;
        $sent = $this->response->write($text);
        $this->sending = false;
        return $sent;
    }

    private static function lines(string $text, string $prefix): string
    {
        return str_replace("\n", "\n$prefix", str_replace(["\r\n", "\r"], "\n", $text));
    }

    private static function field(string $name, ?string $value): string
    {
        if ($value === null) {
            return '';
        }
        if (strpbrk($value, "\r\n\0") !== false) {
            throw new ValueError("the $name of an event must not hold a line break or NUL");
        }
        return "$name: $value\n";
    }
}
)~~~"},
    {"stampede\\http\\responsebody", "stampede://stampede/http/response_body.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Stampede\Http;

use Swoole\Http\Response;
use TypeError;

/** Answers whose body comes in pieces. A client that reads slowly makes them wait, so that memory stays flat. */
final class ResponseBody
{
    /**
     * Sends what an iterable gives or a PHP stream holds, and ends the answer. False when the client went away: then nothing more
     * is taken from it. What it throws is passed on; without a handler for it the answer is cut off.
     *
     * @param iterable<string|\Stringable>|resource $body
     */
    public static function send(Response $response, mixed $body, int $pieceSize = 65536): bool
    {
        if (is_resource($body)) {
            $body = self::pieces($body, max(1, $pieceSize));
        } elseif (!is_iterable($body)) {
            throw new TypeError('a body must be an iterable or a stream, ' . get_debug_type($body) . ' given');
        }
        foreach ($body as $piece) {
            if (!$response->write((string) $piece)) {
                return false;
            }
        }
        return $response->end();
    }

    /**
     * @param resource $stream
     * @param int<1, max> $size
     * @return \Generator<int, string>
     */
    private static function pieces(mixed $stream, int $size): \Generator
    {
        while (!feof($stream)) {
            $piece = fread($stream, $size);
            if ($piece === false) {
                throw new \RuntimeException('the stream of the body cannot be read');
            }
            if ($piece !== '') {
                yield $piece;
            }
        }
    }
}
)~~~"},
    {"stampede\\library\\curlfunctions", "stampede://curl/functions.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Stampede\Library;

use Swoole\Curl\Handler;

/**
 * The functions swoole_curl_*: those of PHP for Swoole\Curl\Handler.
 *
 * @internal
 */
final class CurlFunctions
{
    public static function init(string $url = ''): Handler
    {
        return new Handler($url);
    }

    public static function setopt(Handler $obj, int $opt, mixed $value): bool
    {
        return $obj->setOpt($opt, $value);
    }

    /** @param array<int, mixed> $array stops at the first option that cannot be set */
    public static function setoptArray(Handler $obj, array $array): bool
    {
        foreach ($array as $opt => $value) {
            if (!$obj->setOpt($opt, $value)) {
                return false;
            }
        }
        return true;
    }

    public static function exec(Handler $obj): string|bool
    {
        return $obj->exec();
    }

    /** @param int $opt one of CURLINFO_*; 0: all of them as an array */
    public static function getinfo(Handler $obj, int $opt = 0): mixed
    {
        if ($opt === 0) {
            return $obj->getInfo();
        }
        return (fn (): mixed => $this->oneInfo($opt))->call($obj);
    }

    public static function errno(Handler $obj): int
    {
        return $obj->errno();
    }

    public static function error(Handler $obj): string
    {
        return $obj->error();
    }

    public static function reset(Handler $obj): void
    {
        $obj->reset();
    }

    public static function close(Handler $obj): void
    {
        $obj->close();
    }

    public static function multiGetcontent(Handler $obj): ?string
    {
        return $obj->getContent();
    }
}
)~~~"},
    {"stampede\\library\\requests", "stampede://http/requests.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Stampede\Library;

use Swoole\Coroutine;
use Swoole\Coroutine\Http\Client;
use Swoole\Coroutine\Http\Client\Exception;
use Swoole\Coroutine\Http\ClientProxy;

/**
 * The functions of Swoole\Coroutine\Http, three ways to make one request. Options are those of the way used.
 *
 * @internal
 */
final class Requests
{
    /**
     * @param array<string, mixed>|null $options
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function request(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        $driver = swoole_library_get_option('http_client_driver') ?: (Coroutine::getCid() > 0 ? 'swoole' : 'curl');
        if ($driver === 'swoole') {
            return self::byClient($url, $method, $data, $options, $headers, $cookies);
        }
        if ($driver === 'curl' && extension_loaded('curl')) {
            return self::byCurl($url, $method, $data, $options, $headers, $cookies);
        }
        return self::byStream($url, $method, $data, $options, $headers, $cookies);
    }

    /**
     * @param array<string, mixed>|null $options
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function get(string $url, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        return self::request($url, 'GET', null, $options, $headers, $cookies);
    }

    /**
     * @param array<string, mixed>|null $options
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function post(string $url, mixed $data, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        return self::request($url, 'POST', $data, $options, $headers, $cookies);
    }

    /**
     * @param array<string, mixed>|null $options
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function byClient(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        $parts = parse_url($url);
        if (!is_array($parts) || empty($parts['host'])) {
            throw new Exception("The URL \"$url\" names no host.");
        }
        $tls = strcasecmp($parts['scheme'] ?? 'http', 'https') === 0;
        $client = new Client(trim($parts['host'], '[]'), $parts['port'] ?? ($tls ? 443 : 80), $tls);
        $client->setMethod(strtoupper($method));
        if ($data !== null && $data !== '' && $data !== []) {
            $client->setData(is_array($data) ? $data : (string) $data);
        }
        if ($options) {
            $client->set($options);
        }
        $client->setHeaders($headers ?? []);
        if ($cookies) {
            $client->setCookies($cookies);
        }
        if (isset($parts['user'])) {
            $client->setBasicAuth(rawurldecode($parts['user']), rawurldecode($parts['pass'] ?? ''));
        }
        $query = isset($parts['query']) ? '?' . $parts['query'] : '';
        if (!$client->execute(($parts['path'] ?? '/') . $query)) {
            throw new Exception($client->errMsg, $client->errCode);
        }
        $answer = new ClientProxy($client->body, $client->statusCode, $client->headers, $client->cookies);
        $client->close();
        return $answer;
    }

    /**
     * @param array<string, mixed>|null $options timeout, connect_timeout
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function byCurl(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        $handle = curl_init($url);
        if ($handle === false) {
            throw new Exception("curl refuses the URL \"$url\".");
        }
        $answerHeaders = $answerCookies = [];
        curl_setopt_array($handle, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_CUSTOMREQUEST => strtoupper($method),
            CURLOPT_HTTPHEADER => self::lines($headers, $cookies),
            CURLOPT_TIMEOUT_MS => (int) (1000 * max(0, (float) ($options['timeout'] ?? 0))),
            CURLOPT_HEADERFUNCTION => static function ($handle, string $line) use (&$answerHeaders, &$answerCookies): int {
                self::takeLine($line, $answerHeaders, $answerCookies);
                return strlen($line);
            },
        ]);
        if (isset($options['connect_timeout'])) {
            curl_setopt($handle, CURLOPT_CONNECTTIMEOUT_MS, (int) (1000 * (float) $options['connect_timeout']));
        }
        if ($data !== null && $data !== '' && $data !== []) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, is_array($data) ? http_build_query($data) : (string) $data);
        }
        $body = curl_exec($handle);
        if (!is_string($body)) {
            throw new Exception(curl_error($handle), curl_errno($handle));
        }
        return new ClientProxy($body, (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $answerHeaders, $answerCookies);
    }

    /**
     * @param array<string, mixed>|null $options timeout
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function byStream(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        $lines = self::lines($headers, $cookies);
        $http = ['method' => strtoupper($method), 'ignore_errors' => true, 'follow_location' => 0];
        if ($data !== null && $data !== '' && $data !== []) {
            $http['content'] = is_array($data) ? http_build_query($data) : (string) $data;
            if (is_array($data) && !isset(array_change_key_case($headers ?? [])['content-type'])) {
                $lines[] = 'Content-Type: application/x-www-form-urlencoded';
            }
        }
        if (isset($options['timeout'])) {
            $http['timeout'] = (float) $options['timeout'];
        }
        $stream = @fopen($url, 'r', false, stream_context_create(['http' => $http + ['header' => $lines]]));
        if ($stream === false) {
            throw new Exception(error_get_last()['message'] ?? "\"$url\" cannot be opened.");
        }
        $status = 0;
        $answerHeaders = $answerCookies = [];
        foreach ((array) (stream_get_meta_data($stream)['wrapper_data'] ?? []) as $line) {
            if (preg_match('~^HTTP/[\d.]+ (\d{3})~', (string) $line, $parts) === 1) {
                $status = (int) $parts[1];
            }
            self::takeLine((string) $line, $answerHeaders, $answerCookies);
        }
        $body = stream_get_contents($stream);
        fclose($stream);
        return new ClientProxy((string) $body, $status, $answerHeaders, $answerCookies);
    }

    /**
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     * @return list<string>
     */
    private static function lines(?array $headers, ?array $cookies): array
    {
        $lines = [];
        foreach ($headers ?? [] as $name => $value) {
            $lines[] = str_replace(["\r", "\n", "\0"], '', "$name: $value");
        }
        $pairs = [];
        foreach ($cookies ?? [] as $name => $value) {
            $pairs[] = $name . '=' . rawurlencode((string) $value);
        }
        return $pairs === [] ? $lines : [...$lines, 'Cookie: ' . implode('; ', $pairs)];
    }

    /**
     * @param array<string, mixed> $headers
     * @param array<string, string> $cookies
     */
    private static function takeLine(string $line, array &$headers, array &$cookies): void
    {
        $parts = explode(':', rtrim($line, "\r\n"), 2);
     )~~~"
     R"~~~(   if (count($parts) < 2) {
            return;
        }
        [$name, $value] = [strtolower($parts[0]), trim($parts[1])];
        $headers[$name] = isset($headers[$name]) ? [...(array) $headers[$name], $value] : $value;
        if ($name === 'set-cookie' && preg_match('~^([^=;]+)=([^;]*)~', $value, $pair) === 1) {
            $cookies[$pair[1]] = urldecode($pair[2]);
        }
    }
}
)~~~"},
    {"stampede\\library\\shell", "stampede://stampede/shell.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Stampede\Library;

use Swoole\Coroutine\System;

/** swoole_exec() and swoole_shell_exec(): PHP's exec() and shell_exec() by Coroutine\System. */
final class Shell
{
    /** Adds the lines to $output, if that is an array already, and gives the last one. */
    public static function exec(string $command, mixed &$output = null, mixed &$returnVar = null): string|false
    {
        $result = System::exec($command);
        if ($result === false) {
            return false;
        }
        $text = $result['output'];
        $lines = $text === '' ? [] : explode("\n", str_ends_with($text, "\n") ? substr($text, 0, -1) : $text);
        $lines = array_map(rtrim(...), $lines);
        $output = array_merge(is_array($output) ? $output : [], $lines);
        $returnVar = $result['code'];
        return $lines === [] ? '' : end($lines);
    }

    public static function shellExec(string $command): string|false|null
    {
        $result = System::exec($command);
        if ($result === false) {
            return false;
        }
        return $result['output'] === '' ? null : $result['output'];
    }
}
)~~~"},
    {"stampede\\library\\valuefunctions", "stampede://stampede/value_functions.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Stampede\Library;

use InvalidArgumentException;
use Swoole\ArrayObject;
use Swoole\MultibyteStringObject;
use Swoole\StringObject;
use Swoole\Table;

/**
 * The functions that make objects of values, and swoole_table().
 *
 * @internal
 */
final class ValueFunctions
{
    public static function string(string $string = ''): StringObject
    {
        return new StringObject($string);
    }

    public static function multibyteString(string $string = ''): MultibyteStringObject
    {
        return new MultibyteStringObject($string);
    }

    /** @param array<mixed> $array */
    public static function array(array $array = []): ArrayObject
    {
        return new ArrayObject($array);
    }

    public static function arrayList(mixed ...$values): ArrayObject
    {
        return new ArrayObject($values);
    }

    /** @param string $fields "name:string:64,age:int,weight:float", the types also by their first letter */
    public static function table(int $size, string $fields): Table
    {
        $table = new Table($size);
        foreach (explode(',', $fields) as $field) {
            [$name, $type, $length] = array_map('trim', explode(':', $field)) + ['', '', '0'];
            match (strtolower($type)) {
                'i', 'int' => $table->column($name, Table::TYPE_INT),
                'f', 'float' => $table->column($name, Table::TYPE_FLOAT),
                's', 'str', 'string' => $table->column($name, Table::TYPE_STRING, (int) $length),
                default => throw new InvalidArgumentException(
                    "the field '{$field}' of swoole_table() must be like 'name:string:64', 'age:int' or 'weight:float'",
                ),
            };
        }
        $table->create();
        return $table;
    }
}
)~~~"},
    {"stampede\\pool\\lease", "stampede://stampede/lease.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Stampede\Pool;

use Swoole\ConnectionPool;
use Swoole\Coroutine;
use WeakReference;

/**
 * That a connection is with a coroutine. The pool ties it to the connection: when that one goes away without having
 * been given back, the lease goes with it and tells the pool that its place is free.
 */
final class Lease
{
    public readonly int $cid;

    /** @var WeakReference<ConnectionPool>|null null once it is over */
    private ?WeakReference $pool;

    public function __construct(ConnectionPool $pool)
    {
        $this->pool = WeakReference::create($pool);
        $this->cid = Coroutine::getCid();
    }

    public function __destruct()
    {
        $pool = $this->pool?->get();
        $this->pool = null;
        $pool?->vacate($this->cid);
    }

    public function end(): void
    {
        $this->pool = null;
    }

    public function isOver(): bool
    {
        return $this->pool === null;
    }
}
)~~~"},
    {"swoole\\arrayobject", "stampede://values/array_object.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole;

use ArrayAccess;
use Countable;
use Iterator;
use RuntimeException;
use Serializable;
use Stringable;
use Swoole\Exception\ArrayKeyNotExists;

/**
 * An array with methods. Those that give a part of it make a text a StringObject and an array an ArrayObject; those that sort,
 * set and remove change this object and give it back.
 *
 * @implements ArrayAccess<mixed, mixed>
 * @implements Iterator<mixed, mixed>
 */
class ArrayObject implements ArrayAccess, Serializable, Countable, Iterator
{
    /** @var array<mixed> */
    protected $array;

    /** @param array<mixed> $array */
    public function __construct(array $array = [])
    {
        $this->array = $array;
    }

    /** @return array<mixed> */
    public function __toArray(): array
    {
        return $this->array;
    }

    /** @return array<mixed> */
    public function __serialize(): array
    {
        return $this->array;
    }

    /** @param array<mixed> $data */
    public function __unserialize(array $data): void
    {
        $this->array = $data;
    }

    /** @param array<mixed> $array */
    public static function from(array $array = []): static
    {
        return new static($array);
    }

    /** @return array<mixed> */
    public function toArray(): array
    {
        return $this->array;
    }

    public function isEmpty(): bool
    {
        return $this->array === [];
    }

    public function count(): int
    {
        return count($this->array);
    }

    // ---- walking through it ---------------------------------------------------------------------

    /** @return mixed */
    #[\ReturnTypeWillChange]
    public function current()
    {
        return current($this->array);
    }

    /** @return mixed */
    #[\ReturnTypeWillChange]
    public function key()
    {
        return key($this->array);
    }

    public function valid(): bool
    {
        return key($this->array) !== null;
    }

    /** @return mixed the first value */
    #[\ReturnTypeWillChange]
    public function rewind()
    {
        return reset($this->array);
    }

    /** @return mixed the next value */
    #[\ReturnTypeWillChange]
    public function next()
    {
        return next($this->array);
    }

    // ---- single values ----------------------------------------------------------------------------

    /**
     * @return ArrayObject|StringObject|mixed
     * @throws ArrayKeyNotExists
     */
    public function get(mixed $key)
    {
        $this->require($key);
        return static::detectType($this->array[$key]);
    }

    /** @return ArrayObject|StringObject|mixed */
    public function getOr(mixed $key, mixed $default = null)
    {
        return static::detectType(array_key_exists($key, $this->array) ? $this->array[$key] : $default);
    }

    /** @return ArrayObject|StringObject|mixed null when it is empty */
    public function last()
    {
        return $this->array === [] ? null : static::detectType($this->array[array_key_last($this->array)]);
    }

    /** @return int|string|null */
    public function firstKey()
    {
        return array_key_first($this->array);
    }

    /** @return int|string|null */
    public function lastKey()
    {
        return array_key_last($this->array);
    }

    /** @return ArrayObject|StringObject|mixed null when it is empty */
    public function first()
    {
        return $this->array === [] ? null : static::detectType($this->array[array_key_first($this->array)]);
    }

    public function set(mixed $key, mixed $value): self
    {
        $this->array[$key] = $value;
        return $this;
    }

    public function delete(mixed $key): self
    {
        unset($this->array[$key]);
        return $this;
    }

    /** Takes out a value where it stands first, or with $loop wherever it stands; the other keys stay. */
    public function remove(mixed $value, bool $strict = true, bool $loop = false): self
    {
        do {
            $key = array_search($value, $this->array, $strict);
            if ($key === false) {
                break;
            }
            unset($this->array[$key]);
        } while ($loop);
        return $this;
    }

    public function clear(): self
    {
        $this->array = [];
        return $this;
    }

    /**
     * @return mixed the value itself
     * @throws ArrayKeyNotExists
     */
    #[\ReturnTypeWillChange]
    public function offsetGet(mixed $key)
    {
        $this->require($key);
        return $this->array[$key];
    }

    public function offsetSet(mixed $key, mixed $value): void
    {
        if ($key === null) {
            $this->array[] = $value;
        } else {
            $this->array[$key] = $value;
        }
    }

    public function offsetUnset(mixed $key): void
    {
        unset($this->array[$key]);
    }

    /** @return bool */
    #[\ReturnTypeWillChange]
    public function offsetExists(mixed $key)
    {
        return isset($this->array[$key]);
    }

    /** Whether there is this key, also with a value of null. */
    public function exists(mixed $key): bool
    {
        return array_key_exists($key, $this->array);
    }

    // ---- looking for values ------------------------------------------------------------------------

    public function contains(mixed $value, bool $strict = true): bool
    {
        return in_array($value, $this->array, $strict);
    }

    /** @return int|string|false the first key of the value */
    public function indexOf(mixed $value, bool $strict = true)
    {
        return array_search($value, $this->array, $strict);
    }

    /** @return int|string|false the last key of the value */
    public function lastIndexOf(mixed $value, bool $strict = true)
    {
        return array_search($value, array_reverse($this->array, true), $strict);
    }

    /** @return int|string|StringObject|false the first key of the value */
    public function search(mixed $needle, bool $strict = true)
    {
        return static::detectType(array_search($needle, $this->array, $strict));
    }

    public function join(string $glue = ''): StringObject
    {
        return static::detectStringType(implode($glue, $this->array));
    }

    public function serialize(): string
    {
        return serialize($this->array);
    }

    /** @param string|Stringable|StringObject $string of an array */
    public function unserialize(string|Stringable|StringObject $string): self
    {
        $array = unserialize((string) $string);
        if (!is_array($array)) {
            throw new RuntimeException('the text holds no serialized array');
        }
        $this->array = $array;
        return $this;
    }

    /** @return float|int */
    public function sum()
    {
        return array_sum($this->array);
    }

    /** @return float|int */
    public function product()
    {
        return array_product($this->array);
    }

    // ---- ends of the list ---------------------------------------------------------------------------

    /** @return int the number of values after that */
    public function push(mixed $value)
    {
        return $this->pushBack($value);
    }

    /** @return int the number of values after that */
    public function pushFront(mixed $value)
    {
        return array_unshift($this->array, $value);
    }

    public function append(mixed ...$values): ArrayObject
    {
        array_push($this->array, ...$values);
        return $this;
    }

    /** @return int the number of values after that */
    public function pushBack(mixed $value)
    {
        return array_push($this->array, $value);
    }

    /** Puts a value (also an array or object, as one) at this place; what follows goes on by one. */
    public function insert(int $offset, mixed $value): self
    {
        array_splice($this->array, $offset, 0, [$value]);
        return $this;
    }

    /** @return ArrayObject|StringObject|mixed the last value, which is taken out */
    public function pop()
    {
      )~~~"
     R"~~~(  return static::detectType(array_pop($this->array));
    }

    /** @return ArrayObject|StringObject|mixed the first value, which is taken out */
    public function popFront()
    {
        return static::detectType(array_shift($this->array));
    }

    /** @return ArrayObject|StringObject|mixed the last value, which is taken out */
    public function popBack()
    {
        return static::detectType(array_pop($this->array));
    }

    // ---- new arrays of it ----------------------------------------------------------------------------

    public function slice(int $offset, ?int $length = null, bool $preserve_keys = false): static
    {
        return new static(array_slice($this->array, $offset, $length, $preserve_keys));
    }

    /** @return ArrayObject|StringObject|mixed one value at random, null when it is empty */
    public function randomGet()
    {
        return $this->array === [] ? null : static::detectType($this->array[array_rand($this->array)]);
    }

    /** @param callable $fn as of array_walk(): it gets the value, by reference when it asks for it, and the key */
    public function each(callable $fn): self
    {
        array_walk($this->array, $fn);
        return $this;
    }

    /** @param array<mixed> ...$args further arrays, as of array_map() */
    public function map(callable $fn, array ...$args): static
    {
        return new static(array_map($fn, $this->array, ...$args));
    }

    /** @return mixed */
    public function reduce(callable $fn, mixed $initial = null)
    {
        return array_reduce($this->array, $fn, $initial);
    }

    /** @param mixed ...$args as of array_keys(): the value that is looked for, and whether types must be the same */
    public function keys(mixed ...$args): static
    {
        return new static(array_keys($this->array, ...$args));
    }

    public function values(): static
    {
        return new static(array_values($this->array));
    }

    public function column(mixed $column_key, mixed $index = null): static
    {
        return new static(array_column($this->array, $column_key, $index));
    }

    public function unique(int $sort_flags = SORT_STRING): static
    {
        return new static(array_unique($this->array, $sort_flags));
    }

    public function reverse(bool $preserve_keys = false): static
    {
        return new static(array_reverse($this->array, $preserve_keys));
    }

    public function chunk(int $size, bool $preserve_keys = false): static
    {
        return new static(array_chunk($this->array, $size, $preserve_keys));
    }

    public function flip(): static
    {
        return new static(array_flip($this->array));
    }

    public function filter(callable $fn, int $flag = 0): static
    {
        return new static(array_filter($this->array, $fn, $flag));
    }

    // ---- sorting ---------------------------------------------------------------------------------------

    public function asort(int $sort_flags = SORT_REGULAR): self
    {
        asort($this->array, $sort_flags);
        return $this;
    }

    public function arsort(int $sort_flags = SORT_REGULAR): self
    {
        arsort($this->array, $sort_flags);
        return $this;
    }

    public function krsort(int $sort_flags = SORT_REGULAR): self
    {
        krsort($this->array, $sort_flags);
        return $this;
    }

    public function ksort(int $sort_flags = SORT_REGULAR): self
    {
        ksort($this->array, $sort_flags);
        return $this;
    }

    public function natcasesort(): self
    {
        natcasesort($this->array);
        return $this;
    }

    public function natsort(): self
    {
        natsort($this->array);
        return $this;
    }

    public function rsort(int $sort_flags = SORT_REGULAR): self
    {
        rsort($this->array, $sort_flags);
        return $this;
    }

    public function shuffle(): self
    {
        shuffle($this->array);
        return $this;
    }

    public function sort(int $sort_flags = SORT_REGULAR): self
    {
        sort($this->array, $sort_flags);
        return $this;
    }

    public function uasort(callable $value_compare_func): self
    {
        uasort($this->array, $value_compare_func);
        return $this;
    }

    public function uksort(callable $value_compare_func): self
    {
        uksort($this->array, $value_compare_func);
        return $this;
    }

    public function usort(callable $value_compare_func): self
    {
        usort($this->array, $value_compare_func);
        return $this;
    }

    // ---- objects for what comes out ----------------------------------------------------------------------

    /** @return ArrayObject|StringObject|mixed */
    protected static function detectType(mixed $value)
    {
        return match (true) {
            is_string($value) => static::detectStringType($value),
            is_array($value) => static::detectArrayType($value),
            default => $value,
        };
    }

    protected static function detectStringType(string $value): StringObject
    {
        return new StringObject($value);
    }

    /** @param array<mixed> $value */
    protected static function detectArrayType(array $value): static
    {
        return new static($value);
    }

    private function require(mixed $key): void
    {
        if (!array_key_exists($key, $this->array)) {
            throw new ArrayKeyNotExists("the array has no key '{$key}'");
        }
    }
}
)~~~"},
    {"swoole\\connectionpool", "stampede://connection_pool.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole;

use RuntimeException;
use Stampede\LoopControl;
use Stampede\Pool\Lease;
use Swoole\Coroutine\Channel;
use Throwable;
use WeakMap;
use WeakReference;

/**
 * Up to $size connections that coroutines take and give back. A connection is made by the constructor when none is
 * free and the pool is not full yet. With $proxy the constructor is passed to a class of that name instead.
 *
 * Whoever waits is served in order. A connection that is dropped instead of given back makes room for another; one
 * that is given back twice, or was never taken, is refused with a warning.
 */
class ConnectionPool
{
    public const DEFAULT_SIZE = 64;

    /** Connections that nobody uses; null once the pool is closed. */
    protected ?Channel $pool;

    /** @var callable */
    protected $constructor;

    protected int $size;

    /** Connections made and not lost. */
    protected int $num = 0;

    protected ?string $proxy;

    /** @var array<int, Channel> whoever waits, in order; gets a connection, or its channel itself for a free place */
    private array $waiting = [];

    /** @var WeakMap<object, Lease> */
    private WeakMap $lent;

    /** @var WeakMap<object, float> since when it is in the pool */
    private WeakMap $idleSince;

    /** @var array<int, int> by coroutine: lent connections that went away by themselves and whose put(null) may still come, less those that came before */
    private array $gone = [];

    /** Lent values that are no objects. */
    private int $lentValues = 0;

    private float $idleLimit = 0.0;

    private float $waitLimit = -1.0;

    private int|false $idleTimer = false;

    public function __construct(callable $constructor, int $size = self::DEFAULT_SIZE, ?string $proxy = null)
    {
        $this->pool = new Channel($this->size = $size);
        $this->constructor = $constructor;
        $this->proxy = $proxy;
        $this->lent = new WeakMap();
        $this->idleSince = new WeakMap();
    }

    public function __destruct()
    {
        $this->close();
    }

    /** Connections that nobody took for so many seconds are closed; 0 keeps them, which is the default. */
    public function setIdleLimit(float $seconds): static
    {
        $this->idleLimit = $seconds;
        $this->watchIdle();
        return $this;
    }

    /** How long get() waits when it is not told; -1, the default, for ever. */
    public function setWaitLimit(float $seconds): static
    {
        $this->waitLimit = $seconds;
        return $this;
    }

    /** @return array{size: int, num: int, idle: int, lent: int, waiting: int} */
    public function stats(): array
    {
        return [
            'size' => $this->size,
            'num' => $this->num,
            'idle' => $this->pool?->length() ?? 0,
            'lent' => count($this->lent) + $this->lentValues,
            'waiting' => count($this->waiting),
        ];
    }

    /** Makes connections until the pool is full. */
    public function fill(): void
    {
        while ($this->size > $this->num) {
            $this->make();
        }
    }

    /**
     * A connection for the caller alone, until put(). Waits at most $timeout seconds when all are in use; false when
     * the time is over. What the constructor throws comes out here.
     *
     * @return mixed|false
     */
    public function get(float $timeout = -1)
    {
        if ($this->pool === null) {
            throw new RuntimeException('Pool has been closed');
        }
        $connection = $this->waiting === [] ? $this->takeIdle() : null;
        if ($connection === null && $this->num < $this->size) {
            $this->num++;
            $connection = $this->construct();
        }
        $connection ??= $this->waitForOne($timeout < 0 ? $this->waitLimit : $timeout);
        if (is_object($connection)) {
            $this->lent[$connection] = new Lease($this);
        } elseif ($connection !== false) {
            $this->lentValues++;
        }
        return $connection;
    }

    /**
     * Gives a connection back; null says that it was lost, so that another can be made.
     *
     * @param mixed $connection
     */
    public function put($connection): void
    {
        if ($this->pool === null) {
            return;
        }
        if ($connection === null) {
            $this->forget();
        } elseif (!$this->takeBack($connection)) {
            trigger_error('This connection is not in use: it was given back before, or is not of this pool', E_USER_WARNING);
        } elseif ($this->isReusable($connection)) {
            $this->store($connection);
        } else {
            $this->vacate();
        }
    }

    /** No connection is handed out any more, and those in the pool are dropped. */
    public function close(): void
    {
        if ($this->pool === null) {
            return;
        }
        foreach ($this->lent as $lease) {
            $lease->end();
        }
        foreach ($this->waiting as $place) {
            $place->close();
        }
        $this->waiting = [];
        $this->stopTimer();
        $this->pool->close();
        $this->pool = null;
        $this->num = 0;
    }

    /**
     * A lent connection is gone. Called by its lease, with the coroutine that had it.
     *
     * @internal
     */
    public function vacate(?int $cid = null): void
    {
        if ($cid !== null) {
            $this->noteGone($cid, 1);
        }
        if ($this->waiting !== []) {
            $place = $this->nextInLine();
            $place->push($place);
        } elseif ($this->num > 0) {
            $this->num--;
        }
    }

    protected function make(): void
    {
        $this->num++;
        $this->store($this->construct());
    }

    /**
     * Whether what was given back can be handed out again; makes it so. May wait.
     *
     * @param mixed $connection
     */
    protected function isReusable($connection): bool
    {
        return true;
    }

    /**
     * Whether a connection that was in the pool for so many seconds can be handed out. May wait.
     *
     * @param mixed $connection
     */
    protected function isAlive($connection, float $idle): bool
    {
        return true;
    }

    private function construct(): mixed
    {
        try {
            $constructor = $this->constructor;
            return $this->proxy !== null ? new $this->proxy($constructor) : $constructor();
        } catch (Throwable $error) {
            $this->vacate();
            throw $error;
        }
    }

    private function store(mixed $connection): void
    {
        if ($this->pool === null) {
            return;
        }
        if ($this->waiting !== []) {
            $this->nextInLine()->push($connection);
            return;
        }
        if (is_object($connection)) {
            $this->idleSince[$connection] = hrtime(true) / 1e9;
        }
        $this->pool->push($connection);
        $this->watchIdle();
    }

    private function nextInLine(): Channel
    {
        $first = array_key_first($this->waiting);
        $place = $this->waiting[$first];
        unset($this->waiting[$first]);
        return $place;
    }

    private function takeIdle(): mixed
    {
        while ($this->pool !== null && !$this->pool->isEmpty()) {
            $connection = $this->pool->pop();
            $idle = is_object($connection) ? hrtime(true) / 1e9 - $this->idleSince[$connection] : 0.0;
            if (($this->idleLimit <= 0 || $idle < $this->idleLimit) && $this->isAlive($connection, $idle)) {
                return $connection;
            }
            $this->vacate();
        }
        return null;
    }

    private function waitForOne(float $timeout): mixed
    {
        $place = new Channel(1);
        $this->waiting[] = $place;
        $number = array_key_last($this->waiting);
        try {
            $connection = $place->pop($timeout);
            if ($connection === false && !$place->isEmpty()) {
                $connection)~~~"
     R"~~~( = $place->pop();
            }
        } finally {
            unset($this->waiting[$number]);
        }
        return $connection === $place ? $this->construct() : $connection;
    }

    private function takeBack(mixed $connection): bool
    {
        if (!is_object($connection)) {
            $isLent = $this->lentValues > 0;
            $this->lentValues -= (int) $isLent;
            return $isLent;
        }
        $lease = $this->lent[$connection] ?? null;
        if ($lease === null || $lease->isOver()) {
            return false;
        }
        $lease->end();
        unset($this->lent[$connection]);
        return true;
    }

    /**
     * A connection was lost, and which one is not said: the only one that the caller has, or one whose coroutine is
     * gone. Otherwise its place is free when the connection itself is gone. Nothing is left to do when that was so
     * before: the caller may have other connections, which it goes on using.
     */
    private function forget(): void
    {
        $cid = Coroutine::getCid();
        if (($this->gone[$cid] ?? 0) > 0) {
            $this->noteGone($cid, -1);
            return;
        }
        $own = $left = [];
        foreach ($this->lent as $connection => $lease) {
            if ($lease->cid === $cid) {
                $own[] = $connection;
            } elseif (!Coroutine::exists($lease->cid)) {
                $left[] = $connection;
            }
        }
        if (count($own) === 1 || ($own === [] && $left !== [])) {
            $this->takeBack($own[0] ?? $left[0]);
            $this->vacate();
        } elseif ($this->lentValues > 0) {
            $this->lentValues--;
            $this->vacate();
        } elseif ($own !== []) {
            $this->noteGone($cid, -1);
        }
    }

    private function noteGone(int $cid, int $change): void
    {
        $this->gone[$cid] = ($this->gone[$cid] ?? 0) + $change;
        if ($this->gone[$cid] === 0) {
            unset($this->gone[$cid]);
        } elseif (count($this->gone) > 2 * $this->size) {
            $this->gone = array_filter($this->gone, Coroutine::exists(...), ARRAY_FILTER_USE_KEY);
        }
    }

    /** One timer, for the connection that is idle for longest; it does not keep the loop going. */
    private function watchIdle(): void
    {
        if ($this->idleLimit <= 0 || $this->idleTimer !== false || $this->pool === null || $this->pool->isEmpty()) {
            return;
        }
        $self = WeakReference::create($this);
        $this->idleTimer = Timer::after((int) ceil($this->idleLimit * 1000), static fn () => $self->get()?->closeIdle());
        if ($this->idleTimer !== false) {
            LoopControl::ignore(0, 1);
        }
    }

    private function closeIdle(): void
    {
        LoopControl::ignore(0, -1);
        $this->idleTimer = false;
        for ($left = $this->pool?->length() ?? 0; $left > 0; $left--) {
            $connection = $this->pool?->pop();
            $idle = is_object($connection) ? hrtime(true) / 1e9 - $this->idleSince[$connection] : 0.0;
            if ($idle < $this->idleLimit) {
                $this->pool?->push($connection);
            } else {
                $this->vacate();
            }
        }
        $this->watchIdle();
    }

    private function stopTimer(): void
    {
        if ($this->idleTimer !== false && Timer::clear($this->idleTimer)) {
            LoopControl::ignore(0, -1);
        }
        $this->idleTimer = false;
    }
}
)~~~"},
    {"swoole\\coroutine\\curl\\exception", "stampede://curl/coroutine_exception.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Curl;

/** The same for handles of coroutines. */
class Exception extends \Swoole\Exception {}
)~~~"},
    {"swoole\\coroutine\\fastcgi\\client", "stampede://coroutine/fastcgi_client.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\FastCGI;

use InvalidArgumentException;
use Swoole\Coroutine\FastCGI\Client\Exception;
use Swoole\Coroutine\Socket;
use Swoole\FastCGI\FrameParser;
use Swoole\FastCGI\HttpRequest;
use Swoole\FastCGI\HttpResponse;
use Swoole\FastCGI\Record\EndRequest;
use Swoole\FastCGI\Request;
use Swoole\FastCGI\Response;
use Throwable;

/** Speaks to a FastCGI application such as php-fpm. One request at a time. */
class Client
{
    private const MOST_AT_ONCE = 65536;

    protected int $af;

    protected string $host;

    protected int $port;

    protected ?Socket $socket = null;

    /** A host and a port, or "unix:/path". */
    public function __construct(string $host, int $port = 0, protected bool $ssl = false)
    {
        if (str_starts_with($host, 'unix:')) {
            $this->af = AF_UNIX;
            $host = '/' . ltrim(substr($host, strlen('unix:')), '/');
        } else {
            $this->af = str_contains($host, ':') ? AF_INET6 : AF_INET;
        }
        $this->host = $host;
        $this->port = $port;
    }

    /**
     * Sends the request and waits for its answer, at most $timeout seconds for each step (-1: without limit). An
     * HttpRequest gives an HttpResponse.
     *
     * @return ($request is HttpRequest ? HttpResponse : Response)
     * @throws Exception
     */
    public function execute(Request $request, float $timeout = -1): Response
    {
        $kept = $this->socket !== null;
        if ($kept && !$this->socket->checkLiveness()) {
            $this->disconnect();
        }
        try {
            $this->socket ??= $this->reach($timeout);
            $bytes = (string) $request;
            if ($this->socket->sendAll($bytes, $timeout) !== strlen($bytes)) {
                $this->ioException();
            }
            $records = $this->receive($this->socket, $timeout);
        } catch (Throwable $error) {
            $this->disconnect();
            throw $error;
        }
        if (!$request->getKeepConn()) {
            $this->disconnect();
        }
        return $request instanceof HttpRequest ? new HttpResponse($records) : new Response($records);
    }

    /**
     * "tcp://host:port", "host:port" or "unix:/path" as host and port.
     *
     * @return array{string, int}
     */
    public static function parseUrl(string $url): array
    {
        if (str_starts_with($url, 'unix:')) {
            return ['unix:/' . ltrim(substr($url, strlen('unix:')), '/'), 0];
        }
        $parts = parse_url(str_contains($url, '://') ? $url : "tcp://$url");
        if ($parts === false || !isset($parts['host'])) {
            throw new InvalidArgumentException('The address of a FastCGI application is "host:port" or "unix:/path".');
        }
        return [trim($parts['host'], '[]'), $parts['port'] ?? 9000];
    }

    /**
     * Runs one script and gives its output.
     *
     * @param array<mixed>|string $data the body; an array is sent as a form
     */
    public static function call(string $url, string $path, $data = '', float $timeout = -1): string
    {
        [$host, $port] = self::parseUrl($url);
        $parts = explode('?', $path, 2);
        $request = (new HttpRequest())
            ->withDocumentRoot(dirname($parts[0]))
            ->withScriptFilename($parts[0])
            ->withScriptName($parts[0])
            ->withUri('/' . basename($path))
            ->withQueryString($parts[1] ?? '')
            ->withMethod('POST')
            ->withBody($data);
        return (new self($host, $port))->execute($request, $timeout)->getBody();
    }

    /** @return never */
    protected function ioException(?int $errno = null): void
    {
        $errno ??= $this->socket === null || $this->socket->errCode === 0 ? SOCKET_ECONNRESET : $this->socket->errCode;
        throw new Exception(swoole_strerror($errno), $errno);
    }

    private function reach(float $timeout): Socket
    {
        $socket = new Socket($this->af, SOCK_STREAM, 0);
        if ($this->ssl) {
            $socket->setProtocol(['open_ssl' => true]);
        }
        if (!$socket->connect($this->host, $this->port, $timeout)) {
            $this->ioException($socket->errCode);
        }
        return $socket;
    }

    /** @return list<\Swoole\FastCGI\Record> up to the end of the request */
    private function receive(Socket $socket, float $timeout): array
    {
        $records = [];
        $buffer = '';
        for (;;) {
            while (FrameParser::hasFrame($buffer)) {
                $record = FrameParser::parseFrame($buffer);
                $records[] = $record;
                if ($record instanceof EndRequest) {
                    return $records;
                }
            }
            $piece = $socket->recv(self::MOST_AT_ONCE, $timeout);
            if (!is_string($piece) || $piece === '') {
                $this->ioException($piece === '' ? SOCKET_ECONNRESET : null);
            }
            $buffer .= $piece;
        }
    }

    private function disconnect(): void
    {
        $this->socket?->close();
        $this->socket = null;
    }
}
)~~~"},
    {"swoole\\coroutine\\fastcgi\\client\\exception", "stampede://coroutine/fastcgi_client_exception.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\FastCGI\Client;

/** The application could not be reached or broke off. */
class Exception extends \Swoole\Exception {}
)~~~"},
    {"swoole\\coroutine\\fastcgi\\proxy", "stampede://coroutine/fastcgi_proxy.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\FastCGI;

use Swoole\FastCGI\HttpRequest;
use Swoole\FastCGI\HttpResponse;
use Swoole\Http\Request as SwooleHttpRequest;
use Swoole\Http\Response as SwooleHttpResponse;
use Swoole\Http\Status;

/**
 * Puts a server in front of a FastCGI application: requests are passed on, answers come back. Files below the document root
 * that are no scripts are sent from here.
 */
class Proxy
{
    private const STATIC_TYPES = '~\.(?!php\d?$|phtml$|phar$)[A-Za-z0-9]+$~';

    /** @var string */
    protected $host;

    /** @var int */
    protected $port;

    /** @var float seconds, -1: without limit */
    protected $timeout = -1;

    /** @var string */
    protected $documentRoot;

    /** @var bool */
    protected $https = false;

    /** @var string */
    protected $index = 'index.php';

    /** @var array<string, string> */
    protected $params = [];

    /** @var callable|null instead of the own one */
    protected $staticFileFilter;

    /** Not kept as a callable: the object would hold itself. */
    private bool $filtersItself = true;

    public function __construct(string $url, string $documentRoot = '/')
    {
        [$this->host, $this->port] = Client::parseUrl($url);
        $this->documentRoot = rtrim($documentRoot, '/');
    }

    /** @return static */
    public function withTimeout(float $timeout): self
    {
        $this->timeout = $timeout;
        return $this;
    }

    /** @return static */
    public function withHttps(bool $https): self
    {
        $this->https = $https;
        return $this;
    }

    /** @return static */
    public function withIndex(string $index): self
    {
        $this->index = $index;
        return $this;
    }

    public function getParam(string $name): ?string
    {
        return $this->params[$name] ?? null;
    }

    /** @return static */
    public function withParam(string $name, string $value): self
    {
        $this->params[$name] = $value;
        return $this;
    }

    /** @return static */
    public function withoutParam(string $name): self
    {
        unset($this->params[$name]);
        return $this;
    }

    /** @return array<string, string> */
    public function getParams(): array
    {
        return $this->params;
    }

    /**
     * @param array<string, string> $params
     * @return static
     */
    public function withParams(array $params): self
    {
        $this->params = $params;
        return $this;
    }

    /**
     * @param array<string, string> $params
     * @return static
     */
    public function withAddedParams(array $params): self
    {
        $this->params = $params + $this->params;
        return $this;
    }

    /**
     * A function of request and answer that returns true when it has answered; null sends everything to the application.
     *
     * @return static
     */
    public function withStaticFileFilter(?callable $filter): self
    {
        $this->staticFileFilter = $filter;
        $this->filtersItself = false;
        return $this;
    }

    public function translateRequest(SwooleHttpRequest $userRequest): HttpRequest
    {
        $server = $userRequest->server;
        $path = self::normalise(rawurldecode((string) ($server['request_uri'] ?? '/')));
        $script = str_ends_with($path, '/') ? $path . $this->index : $path;
        $pathInfo = '';
        if (preg_match('~^(.+?\.php)(/.*)$~', $script, $parts) === 1) {
            [, $script, $pathInfo] = $parts;
        }
        $query = (string) ($server['query_string'] ?? '');
        $request = (new HttpRequest())
            ->withDocumentRoot($this->documentRoot)
            ->withScriptFilename($this->documentRoot . $script)
            ->withScriptName($script)
            ->withDocumentUri($script . $pathInfo)
            ->withRequestUri($server['request_uri'] . ($query === '' ? '' : "?$query"))
            ->withQueryString($query)
            ->withScheme($this->https ? 'https' : 'http')
            ->withMethod((string) $server['request_method'])
            ->withServerProtocol((string) $server['server_protocol'])
            ->withRemoteAddr((string) ($server['remote_addr'] ?? ''))
            ->withRemotePort((int) ($server['remote_port'] ?? 0))
            ->withServerPort((int) ($server['server_port'] ?? 0))
            ->withServerName(explode(':', (string) ($userRequest->header['host'] ?? 'localhost'))[0])
            ->withBody((string) $userRequest->rawContent())
            ->withContentType((string) ($userRequest->header['content-type'] ?? ''));
        if ($pathInfo !== '') {
            $request->withParam('PATH_INFO', $pathInfo);
        }
        if ($this->https) {
            $request->withParam('HTTPS', 'on');
        }
        self::addHeaders($request, $userRequest);
        return $request->withAddedParams($this->params);
    }

    public function translateResponse(HttpResponse $response, SwooleHttpResponse $userResponse): void
    {
        $userResponse->status($response->getStatusCode(), $response->getReasonPhrase());
        foreach ($response->getHeaders() as $name => $value) {
            $userResponse->header($name, $value);
        }
        if ($response->getSetCookieHeaderLines() !== []) {
            $userResponse->header('Set-Cookie', $response->getSetCookieHeaderLines());
        }
        $userResponse->end($response->getBody());
    }

    /**
     * Answers the request with what the application says.
     *
     * @throws \Swoole\Coroutine\FastCGI\Client\Exception
     */
    public function pass(SwooleHttpRequest|HttpRequest $userRequest, SwooleHttpResponse $userResponse): void
    {
        $request = $userRequest instanceof HttpRequest ? $userRequest : $this->translateRequest($userRequest);
        $filter = $this->filtersItself ? $this->staticFileFiltrate(...) : $this->staticFileFilter;
        if ($filter !== null && $filter($request, $userResponse)) {
            return;
        }
        $response = (new Client($this->host, $this->port))->execute($request, $this->timeout);
        $this->translateResponse($response, $userResponse);
    }

    /** Sends the file when the request names one that is no script; true when the request has been answered. */
    public function staticFileFiltrate(HttpRequest $request, SwooleHttpResponse $userResponse): bool
    {
        $name = (string) $request->getScriptName();
        if (preg_match(self::STATIC_TYPES, $name) !== 1 || str_contains($name, '/.')) {
            return false;
        }
        $root = realpath($this->documentRoot === '' ? '/' : $this->documentRoot);
        $file = realpath((string) $request->getScriptFilename());
        if ($root === false || $file === false || !is_file($file) || !str_starts_with($file, rtrim($root, '/') . '/')) {
            $userResponse->status(Status::NOT_FOUND);
            $userResponse->end();
            return true;
        }
        $userResponse->sendfile($file);
        return true;
    }

    private static function addHeaders(HttpRequest $request, SwooleHttpRequest $userRequest): void
    {
        foreach ($userRequest->header ?? [] as $name => $value) {
            if (!in_array($name, ['content-type', 'content-length', 'proxy', 'transfer-encoding'], true)) {
                $request->withHeader($name, (string) $value);
            }
        }
        if (!isset($userRequest->header['cookie']) && !empty($userRequest->cookie)) {
            $pairs = [];
            foreach ($userRequest->cookie as $name => $value) {
                $pairs[] = $name . '=' . rawurlencode((string) $value);
            }
            $request->withHeader('Cookie', implode('; ', $pairs));
        }
    }

    /** Without "." and "..", so that no path leaves the document root. */
    private static function normalise(string $path): string
    {
        $kept = [];
        foreach (explode('/', str_replace(["\0", '\\'], '', $path)) as $part) {
            if ($part === '..') {
               )~~~"
     R"~~~( array_pop($kept);
            } elseif ($part !== '' && $part !== '.') {
                $kept[] = $part;
            }
        }
        $folder = $kept === [] || str_ends_with($path, '/') ? '/' : '';
        return $kept === [] ? '/' : '/' . implode('/', $kept) . $folder;
    }
}
)~~~"},
    {"swoole\\coroutine\\http2\\client\\exception", "stampede://http/http2_client_exception.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http2\Client;

/** There is no answer. */
class Exception extends \Swoole\Exception {}
)~~~"},
    {"swoole\\coroutine\\http2\\multiplexclient", "stampede://http/multiplex_client.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http2;

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Http2\Request;
use Swoole\Http2\Response;

/** An HTTP/2 client that any number of coroutines use at once: request() gives each its own answer. */
class MultiplexClient extends Client
{
    public const DEFAULT_HEARTBEAT_CHECK_INTERVAL = 3;
    public const DEFAULT_HEARTBEAT_IDLE_TIME = 10;

    protected ?object $recvLoopToken = null;

    protected ?Channel $sleepChannel = null;

    protected ?Channel $startupBarrier = null;

    /** @var array<int, Channel> */
    protected array $streamChannels = [];

    /** @var array<int, true> */
    protected array $abandonedStreams = [];

    protected bool $heartbeatCheckerRunning = false;

    protected int $pendingRequests = 0;

    protected float $lastActiveTime = 0;

    /** Sends the request and waits for its answer, at most $timeout seconds (-1: without limit); false with $errCode. */
    public function request(Request $request, float $timeout = -1): false|Response
    {
        if (!$this->ensureRecvLoop()) {
            return false;
        }
        $stream = $this->send($request);
        if ($stream === false) {
            return false;
        }
        $this->pendingRequests++;
        $this->lastActiveTime = microtime(true);
        $channel = $this->openStreamChannel($stream);
        $answer = $channel->pop($timeout);
        $this->closeStreamChannel($stream);
        $this->pendingRequests--;
        if ($answer instanceof Response) {
            return $answer;
        }
        if ($channel->errCode === SWOOLE_CHANNEL_TIMEOUT) {
            $this->abandonedStreams[$stream] = true;
            $this->setError(SOCKET_ETIMEDOUT, swoole_strerror(SOCKET_ETIMEDOUT));
        }
        return false;
    }

    public function close(): bool
    {
        $this->recvLoopToken = null;
        $this->sleepChannel?->close();
        $closed = parent::close();
        $this->flushStreamChannels();
        return $closed;
    }

    /** Answers go to those who asked: only request() gives them. */
    public function recv(float $timeout = 0): Response|false
    {
        $this->setError(SWOOLE_ERROR_WRONG_OPERATION, 'recv() is not for a MultiplexClient: use request()');
        return false;
    }

    public function read(float $timeout = 0): Response|false
    {
        return $this->recv($timeout);
    }

    public function write(int $stream_id, mixed $data, bool $end_stream = false): bool
    {
        $this->lastActiveTime = microtime(true);
        return parent::write($stream_id, $data, $end_stream);
    }

    public function goaway(int $error_code = SWOOLE_HTTP2_ERROR_NO_ERROR, string $debug_data = ''): bool
    {
        return parent::goaway($error_code, $debug_data);
    }

    protected function openStreamChannel(int $streamId): Channel
    {
        return $this->streamChannels[$streamId] = new Channel(1);
    }

    protected function closeStreamChannel(int $streamId): void
    {
        unset($this->streamChannels[$streamId]);
    }

    /** Nobody who waits gets an answer any more. */
    protected function flushStreamChannels(): void
    {
        foreach ($this->streamChannels as $channel) {
            $channel->close();
        }
        $this->streamChannels = $this->abandonedStreams = [];
    }

    protected function reconnect(): bool
    {
        parent::close();
        $this->flushStreamChannels();
        return $this->connect();
    }

    /** A connection with a coroutine that receives; those who come while it is being made wait. */
    protected function ensureRecvLoop(): bool
    {
        while ($this->startupBarrier !== null) {
            $this->startupBarrier->pop();
        }
        if ($this->connected && $this->recvLoopToken !== null) {
            return true;
        }
        $this->startupBarrier = new Channel(1);
        $connected = $this->reconnect();
        if ($connected) {
            $token = $this->recvLoopToken = new \stdClass();
            Coroutine::create(function () use ($token): void {
                $this->recvLoop($token);
            });
            $this->ensureHeartbeatChecker();
        }
        $barrier = $this->startupBarrier;
        $this->startupBarrier = null;
        $barrier->close();
        return $connected;
    }

    protected function recvLoop(object $token): void
    {
        while ($this->recvLoopToken === $token) {
            $answer = parent::recv(-1);
            if ($this->recvLoopToken !== $token) {
                return;
            }
            if ($answer === false) {
                break;
            }
            $this->lastActiveTime = microtime(true);
            if (isset($this->streamChannels[$answer->streamId])) {
                $this->streamChannels[$answer->streamId]->push($answer);
            }
            unset($this->abandonedStreams[$answer->streamId]);
        }
        $this->recvLoopToken = null;
        $this->flushStreamChannels();
    }

    /** With the settings heartbeat_check_interval and heartbeat_idle_time: an idle connection is pinged. */
    protected function ensureHeartbeatChecker(): void
    {
        $interval = (float) ($this->setting['heartbeat_check_interval'] ?? self::DEFAULT_HEARTBEAT_CHECK_INTERVAL);
        $idle = (float) ($this->setting['heartbeat_idle_time'] ?? self::DEFAULT_HEARTBEAT_IDLE_TIME);
        if ($interval <= 0 || $this->heartbeatCheckerRunning) {
            return;
        }
        $this->heartbeatCheckerRunning = true;
        Coroutine::create(function () use ($interval, $idle): void {
            while ($this->recvLoopToken !== null) {
                $this->interruptibleSleep($interval);
                if ($this->recvLoopToken !== null && microtime(true) - $this->lastActiveTime >= $idle) {
                    $this->ping();
                }
            }
            $this->heartbeatCheckerRunning = false;
        });
    }

    protected function setError(int $errCode, string $errMsg): void
    {
        $this->errCode = $errCode;
        $this->errMsg = $errMsg;
    }

    /** close() ends it early. */
    protected function interruptibleSleep(float $seconds): void
    {
        $this->sleepChannel = new Channel(1);
        $this->sleepChannel->pop($seconds);
        $this->sleepChannel = null;
    }
}
)~~~"},
    {"swoole\\coroutine\\http\\client\\exception", "stampede://http/client_exception.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http\Client;

/** There is no answer. */
class Exception extends \Swoole\Exception {}
)~~~"},
    {"swoole\\coroutine\\http\\clientproxy", "stampede://http/client_proxy.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http;

/** What get(), post() and request() give. */
class ClientProxy
{
    /** @var array<string, mixed> */
    private array $headers;

    /** @var array<string, mixed> */
    private array $cookies;

    /**
     * @param array<string, mixed>|null $headers
     * @param array<string, mixed>|null $cookies
     */
    public function __construct(private readonly string $body, private readonly int $statusCode, ?array $headers, ?array $cookies)
    {
        $this->headers = $headers ?? [];
        $this->cookies = $cookies ?? [];
    }

    public function getBody(): string
    {
        return $this->body;
    }

    public function getStatusCode(): int
    {
        return $this->statusCode;
    }

    /** @return array<string, mixed> */
    public function getHeaders(): array
    {
        return $this->headers;
    }

    /** @return array<string, mixed> */
    public function getCookies(): array
    {
        return $this->cookies;
    }
}
)~~~"},
    {"swoole\\coroutine\\mysql", "stampede://coroutine/mysql.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Closure;
use mysqli;
use mysqli_result;
use mysqli_sql_exception;
use Stampede\Database\Call;
use Stampede\Database\MysqliLink;
use Swoole\Coroutine;
use Swoole\Coroutine\MySQL\Exception;
use Swoole\Coroutine\MySQL\Statement;
use Throwable;

/**
 * A client of MySQL and MariaDB, over PHP's own driver. It waits in its coroutine whatever the hook flags are. Errors
 * are false with errno and error; a time limit or a lost connection closes it.
 */
class MySQL
{
    /** Of the refusals of a server; mysqli does not tell them. */
    private const STATES = [1044 => '42000', 1045 => '28000', 1049 => '42000', 1698 => '28000'];

    private const NOT_CONNECTED = 2002;

    private const LOST = [2000, 2002, 2006, 2013, 2014, 2027, 2055, 4031, 1927];

    /** @var array<string, mixed>|null what it was connected with */
    public $serverInfo;

    /** @var int */
    public $sock = -1;

    /** @var bool */
    public $connected = false;

    /** @var int */
    public $connect_errno = 0;

    /** @var string */
    public $connect_error = '';

    /** @var int */
    public $affected_rows = 0;

    /** @var int */
    public $insert_id = 0;

    /** @var string */
    public $error = '';

    /** @var int */
    public $errno = 0;

    private ?mysqli $link = null;

    private bool $defer = false;

    private bool $fetchMode = false;

    /** The coroutine that is in a call. */
    private int $user = 0;

    /** What a deferred call will give. */
    private ?Channel $answer = null;

    /** @var list<array<string, mixed>>|null rows that were not fetched yet, null without a result */
    private ?array $rows = null;

    public function __construct()
    {
        if (!class_exists(mysqli::class, false)) {
            throw new Exception('Swoole\Coroutine\MySQL needs the extension mysqli: install and load it.');
        }
    }

    public function __destruct()
    {
        $this->close();
    }

    /** @return bool */
    public function getDefer()
    {
        return $this->defer;
    }

    /** While on, query(), prepare() and the rest only send; recv() gives what they would have given. @return bool */
    public function setDefer($defer = true)
    {
        $this->defer = (bool) $defer;
        return true;
    }

    /**
     * Takes host (or "unix:/path"), port, user, password, database, charset, timeout in seconds, strict_type (numbers
     * as int and float) and fetch_mode (results wait for fetch() and fetchAll()).
     *
     * @param array<string, mixed>|null $server_config
     * @return bool
     */
    public function connect(?array $server_config = null)
    {
        if ($this->connected) {
            return true;
        }
        $config = $this->serverInfo = ($server_config ?? []) + ['host' => '127.0.0.1', 'port' => 3306, 'user' => 'root', 'password' => '', 'database' => ''];
        $this->connect_errno = $this->errno = 0;
        $this->connect_error = $this->error = '';
        $this->fetchMode = (bool) ($config['fetch_mode'] ?? false);
        $link = new mysqli();
        $link->options(MYSQLI_SET_CHARSET_NAME, (string) ($config['charset'] ?? 'utf8mb4'));
        $link->options(MYSQLI_OPT_INT_AND_FLOAT_NATIVE, !empty($config['strict_type']) ? 1 : 0);
        $timeout = (float) ($config['timeout'] ?? Call::usualTimeout('socket_connect_timeout', 1.0));
        $call = new Call();
        try {
            $done = $call->within($timeout, static fn (): bool => @self::reach($link, $config));
        } catch (mysqli_sql_exception $exception) {
            $exception->getPrevious() === null ?: throw $exception->getPrevious();
            $done = false;
        }
        if (!$done) {
            $this->connect_errno = $call->isLate ? 2002 : $link->connect_errno;
            $state = self::STATES[$this->connect_errno] ?? 'HY000';
            $this->connect_error = "SQLSTATE[$state] [$this->connect_errno] " . ($call->isLate ? 'Connection timed out' : (string) $link->connect_error);
            return false;
        }
        $this->link = $link;
        $this->connected = true;
        $this->sock = MysqliLink::descriptor($link);
        return true;
    }

    /**
     * A list of rows, true for a statement without rows (and in fetch mode), false with errno and error. After
     * $timeout seconds the connection is given up.
     *
     * @return list<array<string, mixed>>|bool
     */
    public function query(string $sql, float $timeout = 0)
    {
        return $this->run(function (mysqli $link) use ($sql): array|bool {
            $this->dropResults($link);
            return $link->real_query($sql) ? $this->takeResult($link) : false;
        }, $timeout);
    }

    /** @return Statement|bool */
    public function prepare(string $query, float $timeout = 0)
    {
        return $this->run(function (mysqli $link) use ($query): Statement|bool {
            $this->dropResults($link);
            $statement = $link->prepare($query);
            return $statement === false ? false : new Statement($this, $statement);
        }, $timeout);
    }

    /** What the call before gives, in defer mode. @return mixed */
    public function recv(float $timeout = 0)
    {
        if ($this->answer === null) {
            return $this->link === null ? $this->refuse() : false;
        }
        $answer = $this->answer->pop($timeout > 0 ? $timeout : -1);
        if ($answer === false && $this->answer->errCode === SWOOLE_CHANNEL_TIMEOUT) {
            $this->lose(2006, 'MySQL server has gone away');
        }
        $this->answer = null;
        return is_array($answer) ? $answer[0] : false;
    }

    /** The next row in fetch mode; null behind the last. @return array<string, mixed>|null|false */
    public function fetch(float $timeout = 0)
    {
        return $this->rows === null ? false : array_shift($this->rows);
    }

    /** The rows that are left in fetch mode. @return list<array<string, mixed>>|null|false */
    public function fetchAll(float $timeout = 0)
    {
        $rows = $this->rows;
        $this->rows = $rows === null ? null : [];
        return $rows ?? false;
    }

    /** The next result of a procedure: as query(); null behind the last. @return list<array<string, mixed>>|bool|null */
    public function nextResult(float $timeout = 0)
    {
        return $this->run(function (mysqli $link): array|bool|null {
            $this->rows = null;
            if (!$link->more_results()) {
                return null;
            }
            return $link->next_result() ? $this->takeResult($link) : false;
        }, $timeout);
    }

    /** @return bool */
    public function begin(float $timeout = 0)
    {
        return $this->query('START TRANSACTION', $timeout);
    }

    /** @return bool */
    public function commit(float $timeout = 0)
    {
        return $this->query('COMMIT', $timeout);
    }

    /** @return bool */
    public function rollback(float $timeout = 0)
    {
        return $this->query('ROLLBACK', $timeout);
    }

    /** @return string|false */
    public function escape(string $string, int $flags = 0)
    {
        return $this->link === null ? $this->refuse() : $this->link->real_escape_string($string);
    }

    /** @return bool */
    public function close()
    {
        $link = $this->link;
        $this->link = null;
        $this->connected = false;
        $this->sock = -1;
        $this->rows = null;
        if ($link === null) {
            return false;
        }
        try {
            return @$link->close();
        } catch (Throwable) {
            return true;
        }
    }

    /**
     * Makes a call of the driver for this client or a statement of it.
     *
     * @internal
     */
    public function run(Closure $work, float $timeout, ?Statement $statement = null): mixed
    {
        if ($this->link === null) {
            return $this->refuse($statement);
        }
        if (!$this->defer) {
            return $this)~~~"
     R"~~~(->perform($work, $timeout, $statement);
        }
        $answer = $this->answer = new Channel(1);
        Coroutine::create(function () use ($answer, $work, $timeout, $statement): void {
            $answer->push([$this->perform($work, $timeout, $statement)]);
        });
        return true;
    }

    /** @internal */
    public function isFetching(): bool
    {
        return $this->fetchMode;
    }

    /** @internal for this client and its statements */
    public function fail(int $code, string $message, ?Statement $statement = null): false
    {
        $this->errno = $code;
        $this->error = $message;
        if ($statement !== null) {
            $statement->errno = $code;
            $statement->error = $message;
        }
        return false;
    }

    private function perform(Closure $work, float $timeout, ?Statement $statement): mixed
    {
        if ($this->user !== 0) {
            Call::refuse('MySQL', $this->user);
        }
        $this->fail(0, '', $statement);
        $link = $this->link;
        if ($link === null) {
            return $this->refuse($statement);
        }
        $this->user = Coroutine::getCid();
        $call = new Call();
        $thrown = null;
        try {
            $result = $call->within($timeout > 0 ? $timeout : Call::usualTimeout('socket_read_timeout', -1), static fn (): mixed => $work($link));
        } catch (mysqli_sql_exception $thrown) {
            $result = false;
        } catch (Throwable $other) {
            $this->lose(2006, 'MySQL server has gone away', $statement);
            throw $other;
        } finally {
            $this->user = 0;
        }
        if ($thrown?->getPrevious() !== null) {
            // Cancelled with an exception, or out of time: what the driver says of it comes second.
            $this->lose(2006, 'MySQL server has gone away', $statement);
            throw $thrown->getPrevious();
        }
        if ($result === false && $this->errno === 0) {
            $this->explain($link, $thrown, $call, $statement);
        }
        return $result;
    }

    private function explain(mysqli $link, ?mysqli_sql_exception $thrown, Call $call, ?Statement $statement): void
    {
        $code = $call->isLate ? 2006 : (int) ($thrown?->getCode() ?? $link->errno);
        $message = $call->isLate ? 'MySQL server has gone away' : ($thrown?->getMessage() ?? $link->error);
        $state = $thrown instanceof mysqli_sql_exception && !$call->isLate ? $thrown->getSqlState() : 'HY000';
        if ($call->isLate || in_array($code, self::LOST, true)) {
            $this->lose($code, $message, $statement);
        } else {
            $this->fail($code, "SQLSTATE[$state] [$code] $message", $statement);
        }
    }

    private function lose(int $code, string $message, ?Statement $statement = null): void
    {
        $this->close();
        $this->fail($code, "SQLSTATE[HY000] [$code] $message", $statement);
    }

    private function refuse(?Statement $statement = null): false
    {
        return $this->fail(self::NOT_CONNECTED, 'SQLSTATE[HY000] [2002] The client is not connected', $statement);
    }

    /** @return list<array<string, mixed>>|bool */
    private function takeResult(mysqli $link): array|bool
    {
        $this->rows = null;
        if ($link->field_count === 0) {
            $this->insert_id = (int) $link->insert_id;
            $this->affected_rows = (int) $link->affected_rows;
            return true;
        }
        $result = $link->store_result();
        if (!$result instanceof mysqli_result) {
            return false;
        }
        $rows = $result->fetch_all(MYSQLI_ASSOC);
        $result->free();
        if (!$this->fetchMode) {
            return $rows;
        }
        $this->rows = $rows;
        return true;
    }

    private function dropResults(mysqli $link): void
    {
        $this->rows = null;
        while ($link->more_results() && $link->next_result()) {
            $result = $link->store_result();
            if ($result instanceof mysqli_result) {
                $result->free();
            }
        }
    }

    /** @param array<string, mixed> $config */
    private static function reach(mysqli $link, array $config): bool
    {
        $host = (string) $config['host'];
        $path = str_starts_with($host, 'unix:') ? '/' . ltrim(substr($host, strlen('unix:')), '/') : null;
        return $link->real_connect(
            $path !== null ? 'localhost' : ($host === 'localhost' ? '127.0.0.1' : $host),
            (string) $config['user'],
            (string) $config['password'],
            (string) $config['database'],
            (int) $config['port'],
            $path,
        );
    }
}
)~~~"},
    {"swoole\\coroutine\\mysql\\exception", "stampede://coroutine/mysql/exception.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\MySQL;

/** A MySQL client cannot be used at all. */
class Exception extends \Swoole\Exception
{
}
)~~~"},
    {"swoole\\coroutine\\mysql\\statement", "stampede://coroutine/mysql/statement.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\MySQL;

use mysqli_result;
use mysqli_stmt;
use Swoole\Coroutine\MySQL;
use WeakReference;

/** A prepared statement. It ends on the server with this object. */
class Statement
{
    /** @var int */
    public $id = 0;

    /** @var int */
    public $affected_rows = 0;

    /** @var int */
    public $insert_id = 0;

    /** @var string */
    public $error = '';

    /** @var int */
    public $errno = 0;

    /** @var WeakReference<MySQL> */
    private WeakReference $client;

    private ?mysqli_stmt $statement;

    /** @var list<array<string, mixed>>|null rows that were not fetched yet, null without a result */
    private ?array $rows = null;

    /** @internal made by MySQL::prepare() */
    public function __construct(MySQL $client, mysqli_stmt $statement)
    {
        $this->client = WeakReference::create($client);
        $this->statement = $statement;
        $this->id = (int) $statement->id;
    }

    /**
     * A list of rows with native types, true for a statement without rows (and in fetch mode), false with errno and
     * error. After $timeout seconds the connection is given up.
     *
     * @param list<mixed>|null $params
     * @return list<array<string, mixed>>|bool
     */
    public function execute(?array $params = null, float $timeout = 0)
    {
        $values = array_values($params ?? []);
        return $this->run(function (mysqli_stmt $statement) use ($values): array|bool {
            $wanted = $statement->param_count;
            if (count($values) !== $wanted) {
                $this->complain($wanted, count($values));
                return false;
            }
            $this->dropResults($statement);
            if ($values !== []) {
                $statement->bind_param(self::types($values), ...$values);
            }
            return $statement->execute() ? $this->takeResult($statement) : false;
        }, $timeout);
    }

    /** The next row in fetch mode; null behind the last. @return array<string, mixed>|null|false */
    public function fetch(float $timeout = 0)
    {
        return $this->rows === null ? false : array_shift($this->rows);
    }

    /** The rows that are left in fetch mode. @return list<array<string, mixed>>|null|false */
    public function fetchAll(float $timeout = 0)
    {
        $rows = $this->rows;
        $this->rows = $rows === null ? null : [];
        return $rows ?? false;
    }

    /** The next result of a procedure: as execute(); null behind the last. @return list<array<string, mixed>>|bool|null */
    public function nextResult(float $timeout = 0)
    {
        return $this->run(function (mysqli_stmt $statement): array|bool|null {
            $this->rows = null;
            if (!$statement->more_results()) {
                return null;
            }
            return $statement->next_result() ? $this->takeResult($statement) : false;
        }, $timeout);
    }

    /** What the call before gives, in defer mode. @return mixed */
    public function recv(float $timeout = 0)
    {
        $client = $this->client->get();
        return $client === null ? false : $client->recv($timeout);
    }

    /** @return bool */
    public function close()
    {
        $statement = $this->statement;
        $this->statement = $this->rows = null;
        try {
            return $statement !== null && @$statement->close();
        } catch (\Throwable) {
            return true;
        }
    }

    private function run(\Closure $work, float $timeout): mixed
    {
        $client = $this->client->get();
        $statement = $this->statement;
        if ($client === null || $statement === null) {
            $this->errno = 2006;
            $this->error = 'SQLSTATE[HY000] [2006] MySQL server has gone away';
            return false;
        }
        return $client->run(static fn (): mixed => $work($statement), $timeout, $this);
    }

    private function complain(int $wanted, int $given): void
    {
        $this->client->get()?->fail(2034, "SQLSTATE[HY000] [2034] Statement#$this->id expects $wanted parameter, $given given.", $this);
    }

    /** @return list<array<string, mixed>>|bool */
    private function takeResult(mysqli_stmt $statement): array|bool
    {
        $this->rows = null;
        $client = $this->client->get();
        if ($statement->field_count === 0) {
            $this->insert_id = (int) $statement->insert_id;
            $this->affected_rows = (int) $statement->affected_rows;
            if ($client !== null) {
                $client->insert_id = $this->insert_id;
                $client->affected_rows = $this->affected_rows;
            }
            return true;
        }
        $result = $statement->get_result();
        if (!$result instanceof mysqli_result) {
            return false;
        }
        $rows = $result->fetch_all(MYSQLI_ASSOC);
        $result->free();
        if ($client === null || !$client->isFetching()) {
            return $rows;
        }
        $this->rows = $rows;
        return true;
    }

    private function dropResults(mysqli_stmt $statement): void
    {
        $this->rows = null;
        while ($statement->more_results() && $statement->next_result()) {
            $result = $statement->get_result();
            if ($result instanceof mysqli_result) {
                $result->free();
            }
        }
    }

    /** @param list<mixed> $values */
    private static function types(array $values): string
    {
        $types = '';
        foreach ($values as $value) {
            $types .= is_int($value) || is_bool($value) ? 'i' : (is_float($value) ? 'd' : 's');
        }
        return $types;
    }
}
)~~~"},
    {"swoole\\coroutine\\postgresql", "stampede://coroutine/postgresql.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Closure;
use PgSql\Connection;
use PgSql\Result;
use Stampede\Database\Call;
use Stampede\Database\LobStream;
use Swoole\Coroutine;
use Swoole\Exception;
use Throwable;

defined('SW_PGSQL_ASSOC') || define('SW_PGSQL_ASSOC', 1);
defined('SW_PGSQL_NUM') || define('SW_PGSQL_NUM', 2);
defined('SW_PGSQL_BOTH') || define('SW_PGSQL_BOTH', 3);

/**
 * A client of PostgreSQL, over PHP's extension pgsql. It waits in its coroutine whatever the hook flags are. Errors are
 * false with error, errCode and resultDiag; a time limit or a lost connection closes it.
 */
class PostgreSQL
{
    /** The letters of the protocol, which are the numbers of PGSQL_DIAG_*. */
    private const DIAGNOSTICS = [
        'severity' => 'S', 'sqlstate' => 'C', 'message_primary' => 'M', 'message_detail' => 'D', 'message_hint' => 'H',
        'statement_position' => 'P', 'internal_position' => 'p', 'internal_query' => 'q', 'content' => 'W',
        'source_file' => 'F', 'source_line' => 'L', 'source_function' => 'R', 'schema_name' => 's', 'table_name' => 't',
        'column_name' => 'c', 'datatype_name' => 'd', 'constraint_name' => 'n',
    ];

    /** @var string|null */
    public $error;

    /** @var int an errno, or the status of the result that failed */
    public $errCode = 0;

    /** @var int PGSQL_COMMAND_OK, PGSQL_TUPLES_OK ... of the last result */
    public $resultStatus = 0;

    /** @var array<string, string|null>|null what the server says of an error */
    public $resultDiag;

    /** @var list<array{severity: string, message_primary: string}>|null what the server said beside the last result */
    public $notices;

    private ?Connection $link = null;

    /** The coroutine that is in a call. */
    private int $user = 0;

    private int $names = 0;

    /** @var list<string> statements that ended here and not yet on the server */
    private array $ended = [];

    public function __construct()
    {
        if (!extension_loaded('pgsql')) {
            throw new Exception('Swoole\Coroutine\PostgreSQL needs the extension pgsql: install and load it.');
        }
    }

    public function __destruct()
    {
        $this->drop();
    }

    /** $conninfo is a string of libpq, as "host=127.0.0.1 port=5432 dbname=test user=me"; $timeout is seconds. */
    public function connect(string $conninfo, float $timeout = 2): bool
    {
        $this->drop();
        $said = '';
        set_error_handler(static function (int $level, string $message) use (&$said): bool {
            $said = $message;
            return true;
        });
        $call = new Call();
        try {
            $link = $call->within($timeout, static fn (): Connection|false => pg_connect($conninfo, PGSQL_CONNECT_FORCE_NEW));
        } finally {
            restore_error_handler();
        }
        if (!$link instanceof Connection) {
            $text = trim((string) preg_replace('/^pg_connect\(\): Unable to connect to PostgreSQL server: /', '', $said));
            return $call->isLate ? $this->fail(110, 'Connection timed out') : $this->fail(1, $text);
        }
        $this->link = $link;
        $this->fail(0, null);
        return true;
    }

    /** @return PostgreSQLStatement|false */
    public function query(string $query): PostgreSQLStatement|false
    {
        $result = $this->run(static fn (Connection $link): bool => pg_send_query($link, $query));
        return $result === null ? false : new PostgreSQLStatement($this, null, $result);
    }

    /** A statement to execute(). With two arguments the first is its name, for execute() of this class. */
    public function prepare(string $query, ?string $named = null): PostgreSQLStatement|false
    {
        $name = $named === null ? 'stampede_' . ++$this->names : $query;
        $sql = $named ?? $query;
        $result = $this->run(static fn (Connection $link): bool => pg_send_prepare($link, $name, $sql));
        return $result === null ? false : new PostgreSQLStatement($this, $name, null, $named === null);
    }

    /** Executes what was prepared under that name. @param array<mixed> $params */
    public function execute(string $name, array $params = []): PostgreSQLStatement|false
    {
        $result = $this->runPrepared($name, $params);
        return $result === null ? false : new PostgreSQLStatement($this, null, $result);
    }

    /** @return array<string, array<string, mixed>>|false */
    public function metaData(string $table_name): array|false
    {
        $meta = $this->ask(static fn (Connection $link): array|false => @pg_meta_data($link, $table_name));
        if ($meta === false && $this->link !== null && $this->error === null) {
            $this->fail(7, "There is no table $table_name.");
        }
        return $meta;
    }

    public function escape(string $string): string|false
    {
        return $this->link === null ? $this->refuse() : pg_escape_string($this->link, $string);
    }

    public function escapeLiteral(string $string): string|false
    {
        return $this->link === null ? $this->refuse() : pg_escape_literal($this->link, $string);
    }

    public function escapeIdentifier(string $string): string|false
    {
        return $this->link === null ? $this->refuse() : pg_escape_identifier($this->link, $string);
    }

    /** Makes a large object, inside a transaction. @return int|false its oid */
    public function createLOB(): int|false
    {
        return $this->ask(static fn (Connection $link): int|false => @pg_lo_create($link));
    }

    /** Opens a large object as a stream, inside a transaction. @return resource|false */
    public function openLOB(int $oid, string $mode = 'rb')
    {
        $access = strtr(rtrim($mode, 'b'), ['rb+' => 'rw', 'r+' => 'rw', 'w+' => 'rw']);
        $lob = $this->ask(static fn (Connection $link): mixed => @pg_lo_open($link, $oid, $access));
        return $lob === false ? false : LobStream::of($lob, fn (Closure $work): mixed => $this->ask($work));
    }

    /** @return list<array<mixed>>|false */
    public function fetchAll(PostgreSQLStatement $result, int $result_type = SW_PGSQL_ASSOC): array|false
    {
        return $result->fetchAll($result_type);
    }

    public function affectedRows(PostgreSQLStatement $result): int
    {
        return $result->affectedRows();
    }

    public function numRows(PostgreSQLStatement $result): int
    {
        return $result->numRows();
    }

    public function fieldCount(PostgreSQLStatement $result): int
    {
        return $result->fieldCount();
    }

    public function fetchObject(PostgreSQLStatement $result, ?int $row = null, ?string $class_name = null, array $ctor_params = []): object|false
    {
        return $result->fetchObject($row, $class_name, $ctor_params);
    }

    public function fetchAssoc(PostgreSQLStatement $result, ?int $row = null): array|false
    {
        return $result->fetchAssoc($row);
    }

    public function fetchArray(PostgreSQLStatement $result, ?int $row = null, int $result_type = SW_PGSQL_BOTH): array|false
    {
        return $result->fetchArray($row, $result_type);
    }

    public function fetchRow(PostgreSQLStatement $result, ?int $row = null): array|false
    {
        return $result->fetchRow($row);
    }

    /** @param array<mixed> $params @internal */
    public function runPrepared(string $name, array $params): ?Result
    {
        $values = array_map(static fn (mixed $value): mixed => is_bool($value) ? ($value ? 't' : 'f') : $value, array_values($params));
        return $this->run(static fn (Connection $link): bool => pg_send_execute($link, $name, $values));
    }

    /** A statement's object is gone. @internal */
    public function forget(string $name): void
    {
        if ($this->link !== null) {
            $this->ended[] = $name;
        }
    }

    /** Sends something and takes the last of its results; null with the error. @param Closure(Connection): bool $send */
    private function r)~~~"
     R"~~~(un(Closure $send): ?Result
    {
        $result = $this->ask(function (Connection $link) use ($send): Result|false {
            $this->deallocate($link);
            if (!@$send($link)) {
                return false;
            }
            $last = false;
            while ($result = pg_get_result($link)) {
                if ($last === false || pg_result_status($last) !== PGSQL_FATAL_ERROR) {
                    $last = $result;
                }
                if (in_array(pg_result_status($result), [PGSQL_COPY_IN, PGSQL_COPY_OUT], true)) {
                    @pg_end_copy($link);
                }
            }
            return $last;
        });
        return $result instanceof Result && $this->take($result) ? $result : null;
    }

    private function take(Result $result): bool
    {
        $this->resultStatus = (int) pg_result_status($result);
        $this->readNotices();
        if (!in_array($this->resultStatus, [PGSQL_BAD_RESPONSE, PGSQL_NONFATAL_ERROR, PGSQL_FATAL_ERROR], true)) {
            return true;
        }
        $diagnostics = array_map(static fn (string $field): mixed => pg_result_error_field($result, ord($field)) ?: null, self::DIAGNOSTICS);
        $this->fail($this->resultStatus, rtrim((string) pg_result_error($result)));
        $this->resultDiag = $diagnostics;
        if ($this->link !== null && pg_connection_status($this->link) !== PGSQL_CONNECTION_OK) {
            $this->drop();
        }
        return false;
    }

    /** Makes a call of the driver. */
    private function ask(Closure $work): mixed
    {
        $link = $this->link;
        if ($link === null) {
            return $this->refuse();
        }
        if ($this->user !== 0) {
            Call::refuse('PostgreSQL', $this->user);
        }
        $this->fail(0, null);
        $this->user = Coroutine::getCid();
        $call = new Call();
        try {
            $result = $call->within(Call::usualTimeout('socket_read_timeout', -1), static fn (): mixed => $work($link));
        } catch (Throwable $thrown) {
            // Cancelled, or out of time: the answer is still to come.
            $this->drop();
            throw $thrown;
        } finally {
            $this->user = 0;
        }
        $isLost = pg_connection_status($link) !== PGSQL_CONNECTION_OK || Coroutine::isCanceled();
        if ($call->isLate) {
            $this->drop();
            return $this->fail(110, 'Connection timed out');
        }
        if ($result === false) {
            $this->fail($isLost ? 104 : 7, rtrim(pg_last_error($link)));
            $isLost && $this->drop();
        }
        return $result;
    }

    private function deallocate(Connection $link): void
    {
        while (($name = array_pop($this->ended)) !== null) {
            @pg_query($link, 'DEALLOCATE ' . pg_escape_identifier($link, $name));
        }
    }

    private function readNotices(): void
    {
        $this->notices = null;
        if ($this->link === null) {
            return;
        }
        foreach ((array) pg_last_notice($this->link, PGSQL_NOTICE_ALL) as $notice) {
            [$severity, $text] = explode(':', trim((string) $notice), 2) + ['', ''];
            $this->notices[] = ['severity' => $severity, 'message_primary' => trim($text)];
        }
        pg_last_notice($this->link, PGSQL_NOTICE_CLEAR);
    }

    private function refuse(): false
    {
        return $this->fail(107, 'The client is not connected');
    }

    private function drop(): void
    {
        $link = $this->link;
        $this->link = null;
        $this->ended = [];
        if ($link !== null) {
            @pg_close($link);
        }
    }

    private function fail(int $code, ?string $message): false
    {
        $this->errCode = $code;
        $this->error = $message;
        $this->resultDiag = null;
        return false;
    }
}
)~~~"},
    {"swoole\\coroutine\\postgresqlstatement", "stampede://coroutine/postgresql_statement.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use PgSql\Result;

class_alias(PostgreSQLStatement::class, 'Swoole\Coroutine\PostgreSQL\Statement');

/** A result, or a prepared statement with its last one. Values are int, float and bool where the column is. */
class PostgreSQLStatement
{
    private const INTEGERS = ['int2', 'int4', 'int8', 'oid'];

    private const FLOATS = ['float4', 'float8'];

    /** @var string|null */
    public $error;

    /** @var int */
    public $errCode = 0;

    /** @var int */
    public $resultStatus = 0;

    /** @var array<string, string|null>|null */
    public $resultDiag;

    /** @var list<array{severity: string, message_primary: string}>|null */
    public $notices;

    private int $row = 0;

    /** @var list<string>|null types of the columns */
    private ?array $types = null;

    /** @internal made by PostgreSQL */
    public function __construct(
        private PostgreSQL $client,
        private ?string $name,
        private ?Result $result,
        private bool $isOwned = false,
    ) {
        $this->read();
    }

    public function __destruct()
    {
        if ($this->name !== null && $this->isOwned) {
            $this->client->forget($this->name);
        }
    }

    /** @param array<mixed> $params */
    public function execute(array $params = []): bool
    {
        if ($this->name === null) {
            return false;
        }
        $this->result = $this->client->runPrepared($this->name, $params);
        $this->row = 0;
        $this->types = null;
        $this->read();
        return $this->result !== null;
    }

    /** The rows that were not fetched yet. @return list<array<mixed>>|false */
    public function fetchAll(int $result_type = SW_PGSQL_ASSOC): array|false
    {
        if ($this->result === null) {
            return false;
        }
        $rows = [];
        while (($row = $this->fetchArray(null, $result_type)) !== false) {
            $rows[] = $row;
        }
        return $rows;
    }

    public function affectedRows(): int
    {
        return $this->result === null ? 0 : pg_affected_rows($this->result);
    }

    public function numRows(): int
    {
        return $this->result === null ? 0 : pg_num_rows($this->result);
    }

    public function fieldCount(): int
    {
        return $this->result === null ? 0 : pg_num_fields($this->result);
    }

    /** The row of that number, or the next one. @param array<mixed> $ctor_params */
    public function fetchObject(?int $row = null, ?string $class_name = null, array $ctor_params = []): object|false
    {
        $values = $this->fetchArray($row, SW_PGSQL_ASSOC);
        if ($values === false || $class_name === null) {
            return $values === false ? false : (object) $values;
        }
        $class = new \ReflectionClass($class_name);
        $object = $class->newInstanceWithoutConstructor();
        foreach ($values as $name => $value) {
            $object->{$name} = $value;
        }
        $class->getConstructor()?->invokeArgs($object, $ctor_params);
        return $object;
    }

    /** The row of that number, or the next one. @return array<string, mixed>|false */
    public function fetchAssoc(?int $row = null, int $result_type = SW_PGSQL_ASSOC): array|false
    {
        return $this->fetchArray($row, $result_type);
    }

    /** The row of that number, or the next one. @return array<mixed>|false */
    public function fetchArray(?int $row = null, int $result_type = SW_PGSQL_BOTH): array|false
    {
        $number = $row ?? $this->row;
        if ($this->result === null || $number >= $this->numRows()) {
            return false;
        }
        $this->row = $number + 1;
        $values = pg_fetch_array($this->result, $number, PGSQL_NUM);
        return $values === false ? false : $this->shape($values, $result_type);
    }

    /** The row of that number, or the next one. @return list<mixed>|false */
    public function fetchRow(?int $row = null, int $result_type = SW_PGSQL_NUM): array|false
    {
        return $this->fetchArray($row, $result_type);
    }

    /** @param list<string|null> $values @return array<mixed> */
    private function shape(array $values, int $result_type): array
    {
        $row = [];
        foreach ($values as $i => $value) {
            $value = $value === null ? null : $this->typed($i, $value);
            if (($result_type & SW_PGSQL_NUM) !== 0) {
                $row[$i] = $value;
            }
            if (($result_type & SW_PGSQL_ASSOC) !== 0) {
                $row[pg_field_name($this->result, $i)] = $value;
            }
        }
        return $row;
    }

    private function typed(int $column, string $value): mixed
    {
        $this->types ??= array_map(fn (int $i): string => self::typeOf($this->result, $i), range(0, max(0, $this->fieldCount() - 1)));
        $type = $this->types[$column];
        return match (true) {
            in_array($type, self::INTEGERS, true) => (int) $value,
            in_array($type, self::FLOATS, true) && is_numeric($value) => (float) $value,
            $type === 'bool' => $value === 't',
            default => $value,
        };
    }

    /** By number: the names would be asked from the server. */
    private static function typeOf(Result $result, int $column): string
    {
        return [16 => 'bool', 20 => 'int8', 21 => 'int2', 23 => 'int4', 26 => 'oid', 700 => 'float4', 701 => 'float8'][(int) pg_field_type_oid($result, $column)] ?? '';
    }

    private function read(): void
    {
        $this->error = $this->client->error;
        $this->errCode = $this->client->errCode;
        $this->resultStatus = $this->client->resultStatus;
        $this->resultDiag = $this->client->resultDiag;
        $this->notices = $this->client->notices;
    }
}
)~~~"},
    {"swoole\\coroutine\\redis", "stampede://coroutine/redis.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Closure;
use Stampede\Database\Call;
use Stampede\Database\RedisCollections;
use Stampede\Database\RedisKeys;
use Stampede\Database\RedisReply;
use Swoole\Coroutine;

/**
 * A client of Redis that speaks its protocol itself. Connects again by itself when the connection was lost between
 * commands; a command under way fails with it.
 */
class Redis
{
    use RedisKeys;
    use RedisCollections;

    private const EINVAL = 22;

    private const ENOTCONN = 107;

    private const ERROR_IO = 1;

    private const ERROR_OTHER = 2;

    private const ERROR_EOF = 3;

    private const ERROR_PROTOCOL = 4;

    private const ERROR_CLOSED = 6;

    /** @var string */
    public $host = '';

    /** @var int */
    public $port = 0;

    /** @var array<string, mixed> as setOptions() has them */
    public $setting = ['connect_timeout' => 1.0, 'timeout' => -1.0, 'serialize' => false, 'reconnect' => 1, 'compatibility_mode' => false];

    /** @var int */
    public $sock = -1;

    /** @var bool */
    public $connected = false;

    /** @var int 1 input and output, 2 an error of the server, 3 the server closed, 4 not Redis, 6 not connected */
    public $errType = 0;

    /** @var int */
    public $errCode = 0;

    /** @var string */
    public $errMsg = '';

    private ?Socket $socket = null;

    private ?RedisReply $reply = null;

    private bool $defer = false;

    private bool $compatible = false;

    private bool $subscribed = false;

    /** The coroutine that waits for an answer. */
    private int $user = 0;

    /** @var list<Closure|null> what becomes of the answers that were not received yet */
    private array $pending = [];

    /** @var string|list<string>|null */
    private string|array|null $auth = null;

    private int $database = 0;

    /** Takes the options of setOptions(), and password and database. @param array<string, mixed>|null $config */
    public function __construct(?array $config = null)
    {
        $config ??= [];
        $this->auth = isset($config['password']) && $config['password'] !== '' ? $config['password'] : null;
        $this->database = (int) ($config['database'] ?? 0);
        $this->setting['timeout'] = (float) (Coroutine::getOptions()['socket_timeout'] ?? -1);
        $this->setOptions($config);
    }

    public function __destruct()
    {
        $this->drop();
    }

    /**
     * Seconds: connect_timeout, timeout (of an answer, below 0 without limit); serialize (values are serialized),
     * reconnect (tries), compatibility_mode (hashes and scores as phpredis gives them).
     *
     * @param array<string, mixed> $options
     * @return bool
     */
    public function setOptions(array $options)
    {
        $this->setting = $options + $this->setting;
        $this->compatible = (bool) $this->setting['compatibility_mode'];
        return true;
    }

    /** @return array<string, mixed> */
    public function getOptions()
    {
        return $this->setting;
    }

    /** A name, an address, or "unix:/path". @return bool */
    public function connect($host, $port = 6379, $serialize = null)
    {
        if ($this->connected && $this->host === $host && $this->port === (int) $port) {
            return true;
        }
        $this->drop();
        $this->host = (string) $host;
        $this->port = (int) $port;
        if ($serialize !== null) {
            $this->setting['serialize'] = (bool) $serialize;
        }
        return $this->reach();
    }

    /** @return bool */
    public function close()
    {
        if (!$this->connected) {
            return false;
        }
        $this->drop();
        return true;
    }

    /** @param string|list<string> $password a password, or a user and a password. @return bool */
    public function auth($password)
    {
        $done = $this->request(['AUTH', ...(array) $password]);
        if ($done !== false) {
            $this->auth = $password;
        }
        return $done;
    }

    /** @return bool */
    public function select($database)
    {
        $done = $this->request(['SELECT', $database]);
        if ($done !== false) {
            $this->database = (int) $database;
        }
        return $done;
    }

    /** @return string|list<string>|false */
    public function getAuth()
    {
        return $this->connected ? $this->auth ?? false : false;
    }

    /** @return int|false */
    public function getDBNum()
    {
        return $this->connected ? $this->database : false;
    }

    /** @return bool */
    public function getDefer()
    {
        return $this->defer;
    }

    /** While on, commands are only sent; recv() gives their answers, in order. @return bool */
    public function setDefer($defer = true)
    {
        if ($this->subscribed) {
            trigger_error('you should not use setDefer after subscribe', E_USER_WARNING);
            return false;
        }
        $this->defer = (bool) $defer;
        return true;
    }

    /** Any command. @param list<mixed> $params @return mixed */
    public function request(array $params)
    {
        return $this->ask(array_values($params), null);
    }

    /** The answer to the oldest deferred command, or the next message of a subscription. @return mixed */
    public function recv(float $timeout = 0)
    {
        if ($this->socket === null) {
            return $this->fail(self::ERROR_CLOSED, self::ENOTCONN, 'The client is not connected');
        }
        if (!$this->subscribed && $this->pending === []) {
            return false;
        }
        $this->refuseSecondUser();
        return $this->receive($this->subscribed ? null : array_shift($this->pending), $timeout);
    }

    /** What comes is for recv(): the confirmation, then ["message", channel, text]. @param list<string> $channels @return bool */
    public function subscribe(array $channels)
    {
        return $this->listen('SUBSCRIBE', $channels);
    }

    /** @param list<string> $patterns @return bool */
    public function pSubscribe(array $patterns)
    {
        return $this->listen('PSUBSCRIBE', $patterns);
    }

    /** @param list<string> $channels @return bool */
    public function unsubscribe(array $channels)
    {
        return $this->listen('UNSUBSCRIBE', $channels);
    }

    /** @param list<string> $patterns @return bool */
    public function pUnSubscribe(array $patterns)
    {
        return $this->listen('PUNSUBSCRIBE', $patterns);
    }

    /** @param list<mixed> $command */
    private function ask(array $command, ?Closure $finish): mixed
    {
        $this->refuseSecondUser();
        if (!$this->send($command)) {
            return false;
        }
        if ($this->defer) {
            $this->pending[] = $finish;
            return true;
        }
        return $this->receive($finish, 0);
    }

    /** Before anything is sent: its answer would be taken for that of whoever waits. */
    private function refuseSecondUser(): void
    {
        if ($this->user !== 0) {
            Call::refuse('Redis', $this->user);
        }
    }

    /** @param list<string> $channels */
    private function listen(string $command, array $channels): bool
    {
        if ($this->defer) {
            trigger_error('you should not use ' . strtolower($command) . ' in defer mode', E_USER_WARNING);
            return false;
        }
        $this->subscribed = $this->send([$command, ...array_values($channels)]);
        return $this->subscribed;
    }

    /** @param list<mixed> $command */
    private function send(array $command): bool
    {
        if ($this->socket === null || (!$this->subscribed && $this->pending === [] && !$this->socket->checkLiveness())) {
            if (!$this->reachAgain()) {
                return false;
            }
        }
        $this->errType = $this->errCode = 0;
        $this->errMsg = '';
        $bytes = self::encode($command);
        $socket = $this->socket;
        if ($socket === null )~~~"
     R"~~~(|| $socket->sendAll($bytes, (float) $this->setting['timeout']) !== strlen($bytes)) {
            $this->fail(self::ERROR_IO, $socket->errCode ?? self::ENOTCONN, $socket->errMsg ?? '');
            $this->drop();
            return false;
        }
        return true;
    }

    /** @param list<mixed> $command words, and lists of words */
    private static function encode(array $command): string
    {
        $bytes = '';
        $count = 0;
        array_walk_recursive($command, static function (mixed $word) use (&$bytes, &$count): void {
            $word = is_bool($word) ? (string) (int) $word : (string) $word;
            $bytes .= '$' . strlen($word) . "\r\n$word\r\n";
            $count++;
        });
        return "*$count\r\n$bytes";
    }

    private function receive(?Closure $finish, float $timeout): mixed
    {
        $reply = $this->reply;
        if ($reply === null) {
            return $this->fail(self::ERROR_CLOSED, self::ENOTCONN, 'The client is not connected');
        }
        $this->user = Coroutine::getCid();
        $isDone = false;
        try {
            $value = $reply->read($timeout !== 0.0 ? $timeout : (float) $this->setting['timeout']);
            $isDone = true;
        } finally {
            $this->user = 0;
            $isDone || $this->drop();
        }
        if ($reply->problem === RedisReply::NONE) {
            $value = $this->setting['serialize'] ? self::unpack($value) : $value;
            return is_array($value) && $finish !== null ? $finish($value) : $value;
        }
        if ($reply->problem === RedisReply::REFUSED) {
            return $this->fail(self::ERROR_OTHER, self::EINVAL, $reply->message);
        }
        $type = match ($reply->problem) {
            RedisReply::CLOSED => self::ERROR_EOF,
            RedisReply::FOREIGN => self::ERROR_PROTOCOL,
            default => self::ERROR_IO,
        };
        $this->fail($type, $reply->code, $reply->message);
        $this->drop();
        return false;
    }

    private function reachAgain(): bool
    {
        for ($tries = $this->host === '' ? 0 : (int) $this->setting['reconnect']; $tries > 0; $tries--) {
            $this->drop();
            if ($this->reach()) {
                return true;
            }
        }
        return $this->errType !== 0 && $this->host !== '' ? false
            : $this->fail(self::ERROR_CLOSED, self::ENOTCONN, 'The client is not connected');
    }

    private function reach(): bool
    {
        $isPath = str_starts_with($this->host, 'unix:');
        $host = $isPath ? '/' . ltrim(substr($this->host, strlen('unix:')), '/') : $this->host;
        $socket = new Socket($isPath ? AF_UNIX : (str_contains($host, ':') ? AF_INET6 : AF_INET), SOCK_STREAM, 0);
        if (!$socket->connect($host, $isPath ? 0 : $this->port, (float) $this->setting['connect_timeout'])) {
            $this->fail(self::ERROR_IO, $socket->errCode, $socket->errMsg);
            $socket->close();
            return false;
        }
        $this->socket = $socket;
        $this->reply = new RedisReply($socket);
        $this->sock = $socket->fd;
        $this->connected = true;
        $this->errType = $this->errCode = 0;
        $this->errMsg = '';
        return $this->introduce();
    }

    /** Who we are, and where. */
    private function introduce(): bool
    {
        $defer = $this->defer;
        $this->defer = false;
        $done = ($this->auth === null || $this->request(['AUTH', ...(array) $this->auth]) !== false)
            && ($this->database === 0 || $this->request(['SELECT', $this->database]) !== false);
        $this->defer = $defer;
        if (!$done) {
            $this->drop();
        }
        return $done;
    }

    private function drop(): void
    {
        $socket = $this->socket;
        $this->socket = $this->reply = null;
        $this->sock = -1;
        $this->connected = $this->subscribed = false;
        $this->pending = [];
        $socket?->close();
    }

    private function fail(int $type, int $code, string $message): false
    {
        $this->errType = $type;
        $this->errCode = $code;
        $this->errMsg = $message;
        return false;
    }

    private function pack(mixed $value): mixed
    {
        return $this->setting['serialize'] ? serialize($value) : $value;
    }

    /** Strings that are nothing serialized stay as they are. */
    private static function unpack(mixed $value): mixed
    {
        if (is_array($value)) {
            return array_map(self::unpack(...), $value);
        }
        $known = is_string($value) ? @unserialize($value, ['allowed_classes' => true]) : $value;
        return $known === false && $value !== 'b:0;' ? $value : $known;
    }
}
)~~~"},
    {"swoole\\coroutine\\server", "stampede://coroutine/server.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Swoole\Coroutine;
use Swoole\Coroutine\Server\Connection;
use Swoole\Exception;

/** A TCP server that runs in a coroutine: each connection is handed to a function, in a coroutine of its own. */
class Server
{
    /** @var string */
    public $host = '';

    /** @var int */
    public $port = 0;

    /** @var int */
    public $type = AF_INET;

    /** @var int */
    public $fd = -1;

    /** @var int errno or SWOOLE_ERROR_* of a start() that failed */
    public $errCode = 0;

    /** @var array<string, mixed> */
    public $setting = [];

    /** @var bool */
    protected $running = false;

    /** @var callable|null */
    protected $fn;

    /** @var Socket */
    protected $socket;

    /**
     * An IPv4 or IPv6 address or "unix:/path"; port 0 takes a free one.
     *
     * @throws Exception when listening fails
     */
    public function __construct(string $host, int $port = 0, bool $ssl = false, bool $reuse_port = false)
    {
        if (str_starts_with($host, 'unix:')) {
            $this->type = AF_UNIX;
            $host = '/' . ltrim(substr($host, strlen('unix:')), '/');
        } elseif (str_contains($host, ':')) {
            $this->type = AF_INET6;
        }
        $this->host = $host;
        $this->socket = new Socket($this->type, SOCK_STREAM, 0);
        if ($reuse_port) {
            $this->socket->setOption(SOL_SOCKET, SO_REUSEPORT, 1);
        }
        if (!$this->socket->bind($host, $port)) {
            throw new Exception("bind($host:$port) failed, Error: " . swoole_strerror($this->socket->errCode), $this->socket->errCode);
        }
        if (!$this->socket->listen()) {
            throw new Exception('listen() failed, Error: ' . swoole_strerror($this->socket->errCode), $this->socket->errCode);
        }
        $name = $this->socket->getsockname();
        $this->port = $this->type === AF_UNIX || !is_array($name) ? 0 : $name['port'];
        $this->fd = $this->socket->fd;
        $this->setting['open_ssl'] = $ssl;
    }

    /**
     * Framing and TLS of the connections, as Socket::setProtocol() takes them.
     *
     * @param array<string, mixed> $setting
     */
    public function set(array $setting): void
    {
        $this->setting = array_merge($this->setting, $setting);
    }

    /** The function gets a Swoole\Coroutine\Server\Connection. */
    public function handle(callable $fn): void
    {
        $this->fn = $fn;
    }

    /** Accepts nothing more: start() returns. Connections go on. */
    public function shutdown(): bool
    {
        $this->running = false;
        return $this->socket->cancel();
    }

    /** Serves until shutdown(); false with $errCode when accepting failed. */
    public function start(): bool
    {
        $this->running = true;
        if ($this->fn === null) {
            $this->errCode = SOCKET_EINVAL;
            return false;
        }
        if (!$this->socket->setProtocol($this->setting)) {
            $this->errCode = SOCKET_EINVAL;
            return false;
        }
        while ($this->running) {
            $socket = $this->socket->accept(-1);
            if ($socket !== false) {
                $socket->setProtocol($this->setting);
                if (Coroutine::create([$this, 'serve'], $socket) === false) {
                    $socket->close();
                    Coroutine::sleep(0.1);
                }
                continue;
            }
            if ($this->wasStopped()) {
                break;
            }
            if (!$this->outlast($this->socket->errCode)) {
                $this->errCode = $this->socket->errCode;
                $this->running = false;
                return false;
            }
        }
        return true;
    }

    /** @internal */
    public function serve(Socket $socket): void
    {
        if (!empty($this->setting['open_ssl']) && !$socket->sslHandshake()) {
            $socket->close();
            return;
        }
        ($this->fn)(new Connection($socket));
    }

    /** @phpstan-impure another coroutine stops it */
    private function wasStopped(): bool
    {
        return !$this->running;
    }

    /** Whether accepting may be tried again after this error; waits a little where that helps. */
    private function outlast(int $errCode): bool
    {
        if (in_array($errCode, [SOCKET_EMFILE, SOCKET_ENFILE], true)) {
            Coroutine::sleep(0.1);
            return true;
        }
        return in_array($errCode, [SOCKET_ETIMEDOUT, SOCKET_ECONNABORTED, SOCKET_EINTR, SOCKET_EAGAIN], true);
    }
}
)~~~"},
    {"swoole\\coroutine\\server\\connection", "stampede://coroutine/server_connection.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Server;

use Swoole\Coroutine\Socket;

/** A connection of a Swoole\Coroutine\Server. */
class Connection
{
    /** @var Socket */
    protected $socket;

    public function __construct(Socket $conn)
    {
        $this->socket = $conn;
    }

    /**
     * What has come, a packet at a time when the server has a framing; '' when the peer has closed, false on an error.
     * Waits at most $timeout seconds (0: the socket's, -1: without limit).
     *
     * @return string|false
     */
    public function recv(float $timeout = 0)
    {
        return $this->socket->recvPacket($timeout);
    }

    /**
     * Sends everything.
     *
     * @return int|false
     */
    public function send(string $data)
    {
        return $this->socket->sendAll($data);
    }

    public function close(): bool
    {
        return $this->socket->close();
    }

    public function exportSocket(): Socket
    {
        return $this->socket;
    }
}
)~~~"},
    {"swoole\\curl\\exception", "stampede://curl/exception.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Curl;

/** A handle was used as it cannot be. */
class Exception extends \Swoole\Exception {}
)~~~"},
    {"swoole\\curl\\handler", "stampede://curl/handler.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Curl;

use CurlHandle;
use Stringable;

/**
 * A handle of PHP's curl extension as an object: transfers wait in their coroutine (SWOOLE_HOOK_NATIVE_CURL), and every option of
 * libcurl is there. Functions that are given as options get this object where they would get PHP's handle.
 */
final class Handler implements Stringable
{
    /** Options whose value is a function with the handle as first argument. */
    private const CALLBACKS = [
        'CURLOPT_WRITEFUNCTION',
        'CURLOPT_HEADERFUNCTION',
        'CURLOPT_READFUNCTION',
        'CURLOPT_PROGRESSFUNCTION',
        'CURLOPT_XFERINFOFUNCTION',
        'CURLOPT_FNMATCH_FUNCTION',
    ];

    private ?CurlHandle $handle = null;
    private ?string $content = null;

    /** @throws Exception without PHP's curl extension */
    public function __construct(string $url = '')
    {
        if (!extension_loaded('curl')) {
            throw new Exception("Swoole\\Curl\\Handler needs PHP's curl extension, which is not loaded");
        }
        $handle = $url === '' ? curl_init() : curl_init($url);
        if ($handle === false) {
            throw new Exception('a curl handle cannot be made');
        }
        $this->handle = $handle;
    }

    public function __toString(): string
    {
        return sprintf('Object(%d) of type (curl)', spl_object_id($this));
    }

    /** False, with a warning, once it has been closed. */
    public function isAvailable(): bool
    {
        if ($this->handle === null) {
            trigger_error('supplied resource is not a valid cURL handle resource', E_USER_WARNING);
            return false;
        }
        return true;
    }

    public function setOpt(int $opt, mixed $value): bool
    {
        if (!$this->isAvailable()) {
            return false;
        }
        if (is_callable($value) && $this->isCallback($opt)) {
            $value = fn (mixed $handle, mixed ...$rest): mixed => $value($this, ...$rest);
        }
        return curl_setopt($this->handle, $opt, $value);
    }

    /** The body with CURLOPT_RETURNTRANSFER, else true; false when the transfer failed. */
    public function exec(): string|bool
    {
        if (!$this->isAvailable()) {
            return false;
        }
        $result = curl_exec($this->handle);
        $this->content = is_string($result) ? $result : null;
        return $result;
    }

    /** @return array<string, mixed>|false */
    public function getInfo(): array|false
    {
        return $this->isAvailable() ? curl_getinfo($this->handle) : false;
    }

    public function errno(): int
    {
        return $this->isAvailable() ? curl_errno($this->handle) : 0;
    }

    public function error(): string
    {
        return $this->isAvailable() ? curl_error($this->handle) : '';
    }

    /** All options as they were in the beginning. */
    public function reset(): bool
    {
        if (!$this->isAvailable()) {
            return false;
        }
        curl_reset($this->handle);
        return true;
    }

    /** What the last exec() returned as text. */
    public function getContent(): ?string
    {
        return $this->isAvailable() ? $this->content : null;
    }

    public function close(): void
    {
        if ($this->isAvailable()) {
            $this->handle = null;
        }
    }

    private function isCallback(int $opt): bool
    {
        foreach (self::CALLBACKS as $name) {
            if (defined($name) && constant($name) === $opt) {
                return true;
            }
        }
        return false;
    }

    /** One value of curl_getinfo(), for swoole_curl_getinfo(). */
    private function oneInfo(int $opt): mixed
    {
        return $this->isAvailable() ? curl_getinfo($this->handle, $opt) : false;
    }
}
)~~~"},
    {"swoole\\database\\detectslostconnections", "stampede://database/detects_lost_connections.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

use Throwable;

/** Tells errors that mean that the connection is gone from those of a statement. */
class DetectsLostConnections
{
    /** Parts of messages of drivers and servers. */
    public const ERROR_MESSAGES = [
        'server has gone away',
        'Server has gone away',
        'no connection to the server',
        'Lost connection',
        'is dead or not enabled',
        'Error while sending',
        'decryption failed or bad record mac',
        'server closed the connection unexpectedly',
        'SSL connection has been closed unexpectedly',
        'Error writing data to the connection',
        'Resource deadlock avoided',
        'Transaction() on null',
        'child connection forced to terminate due to client_idle_limit',
        'query_wait_timeout',
        'reset by peer',
        'Physical connection is not usable',
        'TCP Provider: Error code 0x68',
        'ORA-03113',
        'ORA-03114',
        'Packets out of order. Expected',
        'Adaptive Server connection failed',
        'Communication link failure',
        'connection is no longer usable',
        'Login timeout expired',
        'SQLSTATE[HY000] [2002] Connection refused',
        'running with the --read-only option so it cannot execute this statement',
        'The connection is broken and recovery is not possible. The connection is marked by the client driver as unrecoverable. No attempt was made to restore the connection.',
        'SQLSTATE[HY000] [2002] php_network_getaddresses: getaddrinfo failed: Try again',
        'SQLSTATE[HY000] [2002] php_network_getaddresses: getaddrinfo failed: Name or service not known',
        'SQLSTATE[HY000] [2002] php_network_getaddresses: getaddrinfo for',
        'SQLSTATE[HY000]: General error: 7 SSL SYSCALL error: EOF detected',
        'SSL error: unexpected eof',
        'SQLSTATE[HY000] [2002] Connection timed out',
        'SSL: Connection timed out',
        'SQLSTATE[HY000]: General error: 1105 The last transaction was aborted due to Seamless Scaling. Please retry.',
        'Temporary failure in name resolution',
        'SQLSTATE[08S01]: Communication link failure',
        'SQLSTATE[08006] [7] could not connect to server: Connection refused Is the server running on host',
        'SQLSTATE[HY000]: General error: 7 SSL SYSCALL error: No route to host',
        'The client was disconnected by the server because of inactivity. See wait_timeout and interactive_timeout for configuring this behavior.',
        'SQLSTATE[08006] [7] could not translate host name',
        'TCP Provider: Error code 0x274C',
        'SQLSTATE[HY000] [2002] No such file or directory',
        'SSL: Operation timed out',
        'Reason: Server is in script upgrade mode. Only administrator can connect at this time.',
        'Unknown $curl_error_code: 77',
        'SSL: Handshake timed out',
        'SQLSTATE[08006] [7] SSL error: sslv3 alert unexpected message',
        'SQLSTATE[08006] [7] unrecognized SSL error code:',
        'SQLSTATE[HY000] [1045] Access denied for user',
        'SQLSTATE[HY000] [2002] No connection could be made because the target machine actively refused it',
        'SQLSTATE[HY000] [2002] A connection attempt failed because the connected party did not properly respond after a period of time, or established connection failed because connected host has failed to respond',
        'SQLSTATE[HY000] [2002] Network is unreachable',
        'SQLSTATE[HY000] [2002] The requested address is not valid in its context',
        'SQLSTATE[HY000] [2002] A socket operation was attempted to an unreachable network',
        'SQLSTATE[HY000] [2002] Operation now in progress',
        'SQLSTATE[HY000] [2002] Operation in progress',
        'SQLSTATE[HY000]: General error: 3989',
        'went away',
        'No such file or directory',
        'server is shutting down',
        'failed to connect to',
        'Channel connection is closed',
        'Connection lost',
        'Broken pipe',
        'SQLSTATE[25006]: Read only sql transaction: 7',
        'vtgate connection error: no healthy endpoints',
        'primary is not serving, there may be a reparent operation in progress',
        'current keyspace is being resharded',
        'no healthy tablet available',
        'transaction pool connection limit exceeded',
        'SSL operation failed with code 5',
        'timed out',
        'Error reading result',
    ];

    public static function causedByLostConnection(Throwable $e): bool
    {
        $message = $e->getMessage();
        foreach (self::ERROR_MESSAGES as $part) {
            if (str_contains($message, $part)) {
                return true;
            }
        }
        return false;
    }
}
)~~~"},
    {"swoole\\database\\mysqliconfig", "stampede://database/mysqli_config.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

/** What a MysqliPool connects to. */
class MysqliConfig
{
    protected string $host = '127.0.0.1';

    protected int $port = 3306;

    protected ?string $unixSocket = null;

    protected string $dbname = 'test';

    protected string $charset = 'utf8mb4';

    protected string $username = 'root';

    protected string $password = 'root';

    protected array $options = [];

    public function getHost(): string
    {
        return $this->host;
    }

    public function withHost(string $host): self
    {
        $this->host = $host;
        return $this;
    }

    public function getPort(): int
    {
        return $this->port;
    }

    public function withPort(int $port): self
    {
        $this->port = $port;
        return $this;
    }

    public function getUnixSocket(): ?string
    {
        return $this->unixSocket;
    }

    /** A path that is connected to instead of host and port. */
    public function withUnixSocket(?string $unixSocket): self
    {
        $this->unixSocket = $unixSocket;
        return $this;
    }

    public function getDbname(): string
    {
        return $this->dbname;
    }

    public function withDbname(string $dbname): self
    {
        $this->dbname = $dbname;
        return $this;
    }

    public function getCharset(): string
    {
        return $this->charset;
    }

    public function withCharset(string $charset): self
    {
        $this->charset = $charset;
        return $this;
    }

    public function getUsername(): string
    {
        return $this->username;
    }

    public function withUsername(string $username): self
    {
        $this->username = $username;
        return $this;
    }

    public function getPassword(): string
    {
        return $this->password;
    }

    public function withPassword(string $password): self
    {
        $this->password = $password;
        return $this;
    }

    public function getOptions(): array
    {
        return $this->options;
    }

    /** The options of mysqli::options(), by number. */
    public function withOptions(array $options): self
    {
        $this->options = $options;
        return $this;
    }
}
)~~~"},
    {"swoole\\database\\mysqliexception", "stampede://database/mysqli_exception.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

/** A connection of a MysqliPool could not be made, while mysqli is told to report errors by return values. */
class MysqliException extends \Exception
{
}
)~~~"},
    {"swoole\\database\\mysqlipool", "stampede://database/mysqli_pool.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

use mysqli;
use Swoole\ConnectionPool;

/**
 * A pool of MysqliProxy. A connection that comes back inside a transaction is rolled back; one that is dead, or that
 * another coroutine is using, is dropped.
 */
class MysqliPool extends ConnectionPool
{
    protected MysqliConfig $config;

    private string $cleanup = '';

    public function __construct(MysqliConfig $config, int $size = self::DEFAULT_SIZE)
    {
        $this->config = $config;
        parent::__construct(static fn (): mysqli => self::connect($config), $size, MysqliProxy::class);
    }

    /**
     * A statement for each connection that comes back, to end what its user has left in the session; '' for none. Costs
     * a question to the server each time. A connection on which it fails is dropped.
     */
    public function setCleanup(string $sql): static
    {
        $this->cleanup = $sql;
        return $this;
    }

    protected function isReusable($connection): bool
    {
        if ($connection instanceof MysqliProxy && $connection->isReusable()) {
            $connection->reset();
            if ($this->cleanup !== '') {
                $connection->cleanUp($this->cleanup);
            }
        }
        return !$connection instanceof MysqliProxy || $connection->isReusable();
    }

    private static function connect(MysqliConfig $config): mysqli
    {
        $mysqli = new mysqli();
        foreach ($config->getOptions() as $option => $value) {
            $mysqli->options($option, $value);
        }
        $mysqli->real_connect(
            $config->getHost(),
            $config->getUsername(),
            $config->getPassword(),
            $config->getDbname(),
            $config->getPort(),
            $config->getUnixSocket(),
        );
        if ($mysqli->connect_errno !== 0) {
            throw new MysqliException((string) $mysqli->connect_error, $mysqli->connect_errno);
        }
        $mysqli->set_charset($config->getCharset());
        return $mysqli;
    }
}
)~~~"},
    {"swoole\\database\\mysqliproxy", "stampede://database/mysqli_proxy.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

use mysqli;
use mysqli_stmt;
use Stampede\Database\MysqliLink;
use Stampede\Database\Reconnects;
use Throwable;

/**
 * A mysqli that is made again when its connection was lost, outside of transactions. Where the driver cannot be asked
 * whether it is inside of one, the calls and statements tell; what they do not tell counts as one when it is given
 * back.
 *
 * @mixin mysqli
 */
class MysqliProxy extends ObjectProxy
{
    use Reconnects;

    public const IO_METHOD_REGEX = '/^autocommit|begin_transaction|change_user|close|commit|kill|multi_query|ping|prepare|query|real_connect|real_query|reap_async_query|refresh|release_savepoint|rollback|savepoint|select_db|send_query|set_charset|ssl_set$/i';

    public const IO_ERRORS = [2002, 2006, 2013];

    /** @var mysqli */
    protected $__object;

    protected string $charsetContext = '';

    /** @var array<int, mixed> */
    protected array $setOptContext = [];

    /** @var list<string|null> */
    protected array $changeUserContext = [];

    /** @var callable */
    protected $constructor;

    private bool $inTransaction = false;

    private bool $autocommit = true;

    /** Something was sent that may have begun a transaction, or left results unread. */
    private bool $unclear = false;

    /** @param callable(): mysqli $constructor */
    public function __construct(callable $constructor)
    {
        parent::__construct($constructor());
        $this->constructor = $constructor;
        $this->usedAt = hrtime(true);
    }

    /** @return mixed */
    public function __call(string $name, array $arguments)
    {
        $method = strtolower($name);
        if (preg_match(self::IO_METHOD_REGEX, $method) !== 1) {
            return $this->__object->{$name}(...$arguments);
        }
        $sql = is_string($arguments[0] ?? null) ? $arguments[0] : '';
        $isRepeatable = match ($method) {
            'query', 'real_query', 'multi_query' => self::reads($sql),
            'prepare', 'begin_transaction', 'autocommit', 'ping', 'select_db' => true,
            default => false,
        };
        $isEnd = in_array($method, ['commit', 'rollback'], true);
        try {
            $result = $this->perform(fn () => $this->__object->{$name}(...$arguments), $isRepeatable);
        } finally {
            if ($isEnd || ($method === 'query' && preg_match('/^\s*(?:COMMIT|ROLLBACK)\b(?!\s+(?:WORK\s+)?TO\b)/i', $sql) === 1)) {
                $this->inTransaction = false;
                $this->leave();
            }
        }
        $this->note($method, $sql, $arguments);
        return $result instanceof mysqli_stmt
            ? new MysqliStatementProxy($result, $method === 'prepare' ? $sql : null, $this)
            : $result;
    }

    public function reconnect(): void
    {
        parent::__construct(($this->constructor)());
        $this->round++;
        $this->inTransaction = $this->unclear = false;
        foreach ($this->setOptContext as $option => $value) {
            $this->__object->set_opt($option, $value);
        }
        if ($this->changeUserContext !== []) {
            $this->__object->change_user(...$this->changeUserContext);
        }
        if ($this->charsetContext !== '') {
            $this->__object->set_charset($this->charsetContext);
        }
        if (!$this->autocommit) {
            $this->__object->autocommit(false);
        }
    }

    public function options(int $option, mixed $value): bool
    {
        return $this->set_opt($option, $value);
    }

    public function set_opt(int $option, mixed $value): bool
    {
        $this->setOptContext[$option] = $value;
        return $this->__object->set_opt($option, $value);
    }

    public function set_charset(string $charset): bool
    {
        $this->charsetContext = $charset;
        return $this->perform(fn (): bool => $this->__object->set_charset($charset), true);
    }

    public function change_user(string $user, string $password, ?string $database): bool
    {
        $this->changeUserContext = [$user, $password, $database];
        $this->charsetContext = '';
        return $this->perform(fn (): bool => $this->__object->change_user($user, $password, $database), true);
    }

    /** Rolls back what was begun and not ended. @internal */
    public function reset(): void
    {
        try {
            if ($this->unclear || $this->isInside()) {
                $this->stale = $this->stale || $this->__object->rollback() === false || $this->__object->autocommit(true) === false;
            }
        } catch (Throwable) {
            $this->stale = true;
        }
        $this->inTransaction = $this->unclear = false;
        $this->autocommit = true;
    }

    /** @internal for pools */
    public function cleanUp(string $sql): void
    {
        try {
            $this->stale = $this->stale || $this->__object->query($sql) === false;
        } catch (Throwable) {
            $this->stale = true;
        }
    }

    /** @internal for statements */
    public function isUnclear(): void
    {
        $this->unclear = true;
    }

    protected function isInside(): bool
    {
        return (MysqliLink::isInside($this->__object) ?? $this->inTransaction) || !$this->autocommit;
    }

    protected function ping(): bool
    {
        try {
            return @$this->__object->query('DO 1') !== false;
        } catch (Throwable) {
            return false;
        }
    }

    protected function lastError(object $source): ?Throwable
    {
        return $source->errno === 0 ? null : new MysqliException($source->error, $source->errno);
    }

    /** @param array<mixed> $arguments */
    private function note(string $method, string $sql, array $arguments): void
    {
        if ($method === 'begin_transaction') {
            $this->inTransaction = true;
        } elseif ($method === 'autocommit') {
            $this->autocommit = (bool) ($arguments[0] ?? true);
        } elseif (in_array($method, ['query', 'real_query', 'multi_query'], true)) {
            $known = preg_match('/^\s*(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|SHOW|DO)\b[^;]*;?\s*$/i', $sql) === 1;
            $this->unclear = $this->unclear || !$known || $method !== 'query' || ($arguments[1] ?? 0) !== 0;
            if (preg_match('/^\s*(?:BEGIN|START\s+TRANSACTION|XA\s+START)\b/i', $sql) === 1) {
                $this->inTransaction = true;
            } elseif (preg_match('/^\s*SET\b.*\bautocommit\s*=\s*(0|OFF|FALSE|1|ON|TRUE)\b/is', $sql, $match) === 1) {
                $this->autocommit = in_array(strtoupper($match[1]), ['1', 'ON', 'TRUE'], true);
            }
        }
    }
}
)~~~"},
    {"swoole\\database\\mysqlistatementproxy", "stampede://database/mysqli_statement_proxy.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

use mysqli_stmt;

/**
 * A statement of a MysqliProxy. When the connection was made again, it is prepared and bound again as it was.
 *
 * @mixin mysqli_stmt
 */
class MysqliStatementProxy extends ObjectProxy
{
    public const IO_METHOD_REGEX = '/^close|execute|fetch|prepare$/i';

    /** @var mysqli_stmt */
    protected $__object;

    /** @var array<int, int> */
    protected array $attrSetContext = [];

    /** @var list<mixed> */
    protected array $bindParamContext = [];

    /** @var list<mixed> */
    protected array $bindResultContext = [];

    /** Which of the parent's connections it belongs to. */
    protected int $parentRound;

    protected ?string $queryString;

    protected MysqliProxy $parent;

    /** $queryString is null as long as nothing was prepared. */
    public function __construct(mysqli_stmt $object, ?string $queryString, MysqliProxy $parent)
    {
        parent::__construct($object);
        $this->queryString = $queryString;
        $this->parent = $parent;
        $this->parentRound = $parent->getRound();
    }

    /** @return mixed */
    public function __call(string $name, array $arguments)
    {
        $method = strtolower($name);
        if ($method !== 'execute' && $method !== 'prepare') {
            return $this->__object->{$name}(...$arguments);
        }
        if ($method === 'prepare' && is_string($arguments[0] ?? null)) {
            $this->queryString = $arguments[0];
            $this->bindParamContext = $this->bindResultContext = [];
        }
        $call = function () use ($name, $arguments): mixed {
            $this->follow();
            return $this->__object->{$name}(...$arguments);
        };
        $result = $this->parent->perform($call, $method === 'prepare' || MysqliProxy::reads((string) $this->queryString), $this);
        if (preg_match('/^\s*(?:INSERT|UPDATE|DELETE|REPLACE|SELECT)\b/i', (string) $this->queryString) !== 1) {
            $this->parent->isUnclear();
        }
        return $result;
    }

    public function attr_set(int $attr, int $mode): bool
    {
        $this->attrSetContext[$attr] = $mode;
        return $this->__object->attr_set($attr, $mode);
    }

    public function bind_param(string $types, mixed &...$arguments): bool
    {
        $this->bindParamContext = [$types, $arguments];
        return $this->__object->bind_param($types, ...$arguments);
    }

    public function bind_result(mixed &...$arguments): bool
    {
        $this->bindResultContext = $arguments;
        return $this->__object->bind_result(...$arguments);
    }

    /** Goes over to the connection that the parent has now. */
    private function follow(): void
    {
        if ($this->parentRound === $this->parent->getRound()) {
            return;
        }
        $connection = $this->parent->__getObject();
        $fresh = $this->queryString === null ? $connection->stmt_init() : $connection->prepare($this->queryString);
        if ($fresh === false) {
            return;
        }
        parent::__construct($fresh);
        $this->parentRound = $this->parent->getRound();
        foreach ($this->attrSetContext as $attr => $mode) {
            $fresh->attr_set($attr, $mode);
        }
        if ($this->bindParamContext !== []) {
            $fresh->bind_param($this->bindParamContext[0], ...$this->bindParamContext[1]);
        }
        if ($this->bindResultContext !== []) {
            $fresh->bind_result(...$this->bindResultContext);
        }
    }
}
)~~~"},
    {"swoole\\database\\objectproxy", "stampede://database/object_proxy.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

use Error;

/** A connection or statement behind a proxy: two copies would use one connection at once. */
class ObjectProxy extends \Swoole\ObjectProxy
{
    public function __clone(): void
    {
        throw new Error('Database connections and statements cannot be cloned: take another one from the pool.');
    }
}
)~~~"},
    {"swoole\\database\\pdoconfig", "stampede://database/pdo_config.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

/** What a PDOPool connects to. */
class PDOConfig
{
    public const DRIVER_MYSQL = 'mysql';

    protected string $driver = self::DRIVER_MYSQL;

    protected string $host = '127.0.0.1';

    protected int $port = 3306;

    protected ?string $unixSocket = null;

    protected string $dbname = 'test';

    protected string $charset = 'utf8mb4';

    protected string $username = 'root';

    protected string $password = 'root';

    protected array $options = [];

    public function getDriver(): string
    {
        return $this->driver;
    }

    /** A driver of PDO: mysql, pgsql, sqlite (the dbname is the file), odbc (the dbname is the source) ... */
    public function withDriver(string $driver): self
    {
        $this->driver = $driver;
        return $this;
    }

    public function getHost(): string
    {
        return $this->host;
    }

    public function withHost(string $host): self
    {
        $this->host = $host;
        return $this;
    }

    public function getPort(): int
    {
        return $this->port;
    }

    public function withPort(int $port): self
    {
        $this->port = $port;
        return $this;
    }

    public function hasUnixSocket(): bool
    {
        return $this->unixSocket !== null && $this->unixSocket !== '';
    }

    public function getUnixSocket(): ?string
    {
        return $this->unixSocket;
    }

    /** A path that is connected to instead of host and port. */
    public function withUnixSocket(?string $unixSocket): self
    {
        $this->unixSocket = $unixSocket;
        return $this;
    }

    public function getDbname(): string
    {
        return $this->dbname;
    }

    public function withDbname(string $dbname): self
    {
        $this->dbname = $dbname;
        return $this;
    }

    public function getCharset(): string
    {
        return $this->charset;
    }

    public function withCharset(string $charset): self
    {
        $this->charset = $charset;
        return $this;
    }

    public function getUsername(): string
    {
        return $this->username;
    }

    public function withUsername(string $username): self
    {
        $this->username = $username;
        return $this;
    }

    public function getPassword(): string
    {
        return $this->password;
    }

    public function withPassword(string $password): self
    {
        $this->password = $password;
        return $this;
    }

    public function getOptions(): array
    {
        return $this->options;
    }

    /** The options of new PDO(). */
    public function withOptions(array $options): self
    {
        $this->options = $options;
        return $this;
    }

    /** @return list<string> */
    public static function getAvailableDrivers(): array
    {
        return [self::DRIVER_MYSQL];
    }
}
)~~~"},
    {"swoole\\database\\pdopool", "stampede://database/pdo_pool.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

use PDO;
use Swoole\ConnectionPool;

/**
 * A pool of PDOProxy. A connection that comes back inside a transaction is rolled back; one that is dead, or that
 * another coroutine is using, is dropped.
 */
class PDOPool extends ConnectionPool
{
    protected PDOConfig $config;

    private string $cleanup = '';

    public function __construct(PDOConfig $config, int $size = self::DEFAULT_SIZE)
    {
        $this->config = $config;
        parent::__construct(static fn (): PDO => self::connect($config), $size, PDOProxy::class);
    }

    /**
     * A PDOProxy for the caller alone, until put(). Waits at most $timeout seconds when all are in use; false when the
     * time is over.
     *
     * @return mixed|false
     */
    public function get(float $timeout = -1)
    {
        return parent::get($timeout);
    }

    /**
     * A statement for each connection that comes back, to end what its user has left in the session; '' for none. Costs
     * a question to the server each time. A connection on which it fails is dropped.
     */
    public function setCleanup(string $sql): static
    {
        $this->cleanup = $sql;
        return $this;
    }

    protected function isReusable($connection): bool
    {
        if ($connection instanceof PDOProxy && $connection->isReusable()) {
            $connection->reset();
            if ($this->cleanup !== '') {
                $connection->cleanUp($this->cleanup);
            }
        }
        return !$connection instanceof PDOProxy || $connection->isReusable();
    }

    /** Whoever gave it back may have used it since. */
    protected function isAlive($connection, float $idle): bool
    {
        if ($connection instanceof PDOProxy && $connection->isReusable()) {
            $connection->reset();
        }
        return !$connection instanceof PDOProxy || $connection->isReusable();
    }

    /** Persistent connections of PDO are shared by those that ask for the same: the pool keeps them itself. */
    private static function connect(PDOConfig $config): PDO
    {
        $options = $config->getOptions();
        unset($options[PDO::ATTR_PERSISTENT]);
        return new PDO(self::source($config), $config->getUsername(), $config->getPassword(), $options);
    }

    private static function source(PDOConfig $config): string
    {
        $driver = $config->getDriver();
        $name = $config->getDbname();
        $at = "host={$config->getHost()};port={$config->getPort()}";
        if ($driver === 'pgsql') {
            $at = $config->hasUnixSocket() ? 'host=' . $config->getUnixSocket() . ";port={$config->getPort()}" : $at;
            $encoding = $config->getCharset() === 'utf8mb4' ? 'UTF8' : $config->getCharset();
            return "pgsql:$at;dbname=$name;options='--client_encoding=$encoding'";
        }
        return match ($driver) {
            'sqlite', 'sqlite2', 'odbc' => "$driver:$name",
            'oci' => "oci:dbname=//{$config->getHost()}:{$config->getPort()}/$name;charset={$config->getCharset()}",
            default => "$driver:" . ($config->hasUnixSocket() ? "unix_socket={$config->getUnixSocket()}" : $at)
                . ";dbname=$name;charset={$config->getCharset()}",
        };
    }
}
)~~~"},
    {"swoole\\database\\pdoproxy", "stampede://database/pdo_proxy.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

use PDO;
use PDOException;
use PDOStatement;
use Stampede\Database\Reconnects;
use Throwable;
use WeakMap;

/**
 * A PDO that is made again when its connection was lost, outside of transactions.
 *
 * @mixin PDO
 */
class PDOProxy extends ObjectProxy
{
    use Reconnects;

    /** @var PDO */
    protected $__object;

    /** @var array<int, mixed> */
    protected array $setAttributeContext = [];

    /** @var callable */
    protected $constructor;

    /** 1 after beginTransaction(), until the transaction ends. */
    protected int $inTransaction = 0;

    /** @var WeakMap<PDOStatementProxy, true> those that somebody still has */
    private WeakMap $statements;

    /** @param callable(): PDO $constructor */
    public function __construct(callable $constructor)
    {
        parent::__construct($constructor());
        $this->constructor = $constructor;
        $this->statements = new WeakMap();
        $this->usedAt = hrtime(true);
    }

    /** @return mixed */
    public function __call(string $name, array $arguments)
    {
        $method = strtolower($name);
        $isRepeatable = match ($method) {
            'query', 'exec' => is_string($arguments[0] ?? null) && self::reads($arguments[0]),
            'prepare', 'begintransaction', 'quote', 'getattribute' => true,
            default => false,
        };
        if (in_array($method, ['errorcode', 'errorinfo'], true)) {
            return $this->__object->{$name}(...$arguments);
        }
        try {
            $result = $this->perform(fn () => $this->__object->{$name}(...$arguments), $isRepeatable);
        } finally {
            if ($method === 'commit' || $method === 'rollback') {
                $this->inTransaction = 0;
                $this->leave();
            }
        }
        if ($method === 'begintransaction' && $result === true) {
            $this->inTransaction = 1;
        }
        if (!$result instanceof PDOStatement) {
            return $result;
        }
        $statement = new PDOStatementProxy($result, $this, $method === 'prepare' && is_array($arguments[1] ?? null) ? $arguments[1] : []);
        $this->statements[$statement] = true;
        return $statement;
    }

    public function reconnect(): void
    {
        parent::__construct(($this->constructor)());
        $this->round++;
        $this->inTransaction = 0;
        foreach ($this->setAttributeContext as $attribute => $value) {
            $this->__object->setAttribute($attribute, $value);
        }
    }

    public function setAttribute(int $attribute, mixed $value): bool
    {
        $this->setAttributeContext[$attribute] = $value;
        return $this->perform(fn (): bool => $this->__object->setAttribute($attribute, $value), true);
    }

    public function inTransaction(): bool
    {
        return $this->lostInside || (!$this->stale && $this->isInside());
    }

    /** Rolls back what was begun and not ended, and drops results that nobody has read. */
    public function reset(): void
    {
        $this->closeCursors();
        if ($this->inTransaction()) {
            try {
                $this->__call('rollBack', []);
            } catch (Throwable) {
                $this->stale = true;
            }
        }
        $this->inTransaction = 0;
    }

    /** @internal for pools */
    public function cleanUp(string $sql): void
    {
        try {
            $this->stale = $this->stale || $this->__object->exec($sql) === false;
        } catch (Throwable) {
            $this->stale = true;
        }
    }

    /** The next one could not ask anything while a result of before is under way. */
    private function closeCursors(): void
    {
        foreach ($this->statements as $statement => $isThere) {
            try {
                $statement->__getObject()->closeCursor();
            } catch (Throwable) {
                $this->stale = true;
            }
        }
        $this->statements = new WeakMap();
    }

    protected function isInside(): bool
    {
        return $this->__object->inTransaction();
    }

    protected function ping(): bool
    {
        try {
            return @$this->__object->query('SELECT 1') !== false;
        } catch (Throwable) {
            return false;
        }
    }

    protected function lastError(object $source): ?Throwable
    {
        [$state, $code, $message] = $source->errorInfo() + [null, null, null];
        return $message === null || $message === '' ? null : new PDOException("SQLSTATE[$state]: $message", (int) $code);
    }
}
)~~~"},
    {"swoole\\database\\pdostatementproxy", "stampede://database/pdo_statement_proxy.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

use Iterator;
use IteratorAggregate;
use PDO;
use PDOStatement;

/**
 * A statement of a PDOProxy. When the connection was made again, it is prepared and bound again as it was.
 *
 * @mixin PDOStatement
 */
class PDOStatementProxy extends ObjectProxy implements IteratorAggregate
{
    /** @var PDOStatement */
    protected $__object;

    /** @var array<int, mixed> */
    protected array $setAttributeContext = [];

    /** @var list<mixed> */
    protected array $setFetchModeContext = [];

    /** @var array<int|string, list<mixed>> */
    protected array $bindParamContext = [];

    /** @var array<int|string, list<mixed>> */
    protected array $bindColumnContext = [];

    /** @var array<int|string, list<mixed>> */
    protected array $bindValueContext = [];

    /** @var int which of the parent's connections it belongs to */
    protected $parentRound;

    protected PDOProxy $parent;

    /** @param array<int, mixed> $options those that it was prepared with */
    public function __construct(PDOStatement $object, PDOProxy $parent, private array $options = [])
    {
        parent::__construct($object);
        $this->parent = $parent;
        $this->parentRound = $parent->getRound();
    }

    /** @return mixed */
    public function __call(string $name, array $arguments)
    {
        if (strcasecmp($name, 'execute') !== 0) {
            return $this->__object->{$name}(...$arguments);
        }
        $execute = function () use ($arguments): mixed {
            $this->follow();
            return $this->__object->execute(...$arguments);
        };
        return $this->parent->perform($execute, PDOProxy::reads($this->__object->queryString), $this);
    }

    public function getIterator(): Iterator
    {
        return $this->__object->getIterator();
    }

    public function setAttribute(int $attribute, mixed $value): bool
    {
        $this->setAttributeContext[$attribute] = $value;
        return $this->__object->setAttribute($attribute, $value);
    }

    public function setFetchMode(int $mode, mixed ...$params): bool
    {
        $this->setFetchModeContext = [$mode, ...$params];
        return $this->__object->setFetchMode($mode, ...$params);
    }

    public function bindParam($parameter, &$variable, $data_type = PDO::PARAM_STR, $length = 0, $driver_options = null): bool
    {
        $this->bindParamContext[$parameter] = [&$variable, $data_type, $length, $driver_options];
        return $this->__object->bindParam($parameter, $variable, $data_type, $length, $driver_options);
    }

    public function bindColumn($column, &$param, $type = null, $maxlen = null, $driverdata = null): bool
    {
        $this->bindColumnContext[$column] = [&$param, $type, $maxlen, $driverdata];
        return $this->__object->bindColumn($column, $param, ...self::given($type, $maxlen, $driverdata));
    }

    public function bindValue($parameter, $value, $data_type = PDO::PARAM_STR): bool
    {
        $this->bindValueContext[$parameter] = [$value, $data_type];
        return $this->__object->bindValue($parameter, $value, $data_type);
    }

    /** Goes over to the connection that the parent has now. */
    private function follow(): void
    {
        if ($this->parentRound === $this->parent->getRound()) {
            return;
        }
        $fresh = $this->parent->__getObject()->prepare($this->__object->queryString, $this->options);
        if ($fresh === false) {
            return;
        }
        parent::__construct($fresh);
        $this->parentRound = $this->parent->getRound();
        foreach ($this->setAttributeContext as $attribute => $value) {
            $fresh->setAttribute($attribute, $value);
        }
        if ($this->setFetchModeContext !== []) {
            $fresh->setFetchMode(...$this->setFetchModeContext);
        }
        foreach ($this->bindValueContext as $parameter => [$value, $type]) {
            $fresh->bindValue($parameter, $value, $type);
        }
        foreach ($this->bindParamContext as $parameter => &$bound) {
            $fresh->bindParam($parameter, $bound[0], $bound[1], $bound[2], $bound[3]);
        }
        unset($bound);
        foreach ($this->bindColumnContext as $column => &$bound) {
            $fresh->bindColumn($column, $bound[0], ...self::given($bound[1], $bound[2], $bound[3]));
        }
    }

    /** Arguments that PDO does not take as null are left out. @return list<mixed> */
    private static function given(mixed $type, mixed $length, mixed $options): array
    {
        return match (true) {
            $options !== null => [$type ?? PDO::PARAM_STR, $length ?? 0, $options],
            $length !== null => [$type ?? PDO::PARAM_STR, $length],
            $type !== null => [$type],
            default => [],
        };
    }
}
)~~~"},
    {"swoole\\database\\redisconfig", "stampede://database/redis_config.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

/** What a RedisPool connects to. */
class RedisConfig
{
    protected string $host = '127.0.0.1';

    protected int $port = 6379;

    protected float $timeout = 0.0;

    protected string $reserved = '';

    protected int $retry_interval = 0;

    protected float $read_timeout = 0.0;

    protected string|array $auth = '';

    protected int $dbIndex = 0;

    protected array $options = [];

    public function getHost(): string
    {
        return $this->host;
    }

    /** A name, an address, or the path of a unix socket. */
    public function withHost(string $host): self
    {
        $this->host = $host;
        return $this;
    }

    public function getPort(): int
    {
        return $this->port;
    }

    public function withPort(int $port): self
    {
        $this->port = $port;
        return $this;
    }

    public function getTimeout(): float
    {
        return $this->timeout;
    }

    /** Seconds that connecting may take; 0 for no limit. */
    public function withTimeout(float $timeout): self
    {
        $this->timeout = $timeout;
        return $this;
    }

    public function getReserved(): string
    {
        return $this->reserved;
    }

    public function withReserved(string $reserved): self
    {
        $this->reserved = $reserved;
        return $this;
    }

    public function getRetryInterval(): int
    {
        return $this->retry_interval;
    }

    /** Milliseconds between tries to connect again. */
    public function withRetryInterval(int $retry_interval): self
    {
        $this->retry_interval = $retry_interval;
        return $this;
    }

    public function getReadTimeout(): float
    {
        return $this->read_timeout;
    }

    /** Seconds that an answer may take; 0 for no limit. */
    public function withReadTimeout(float $read_timeout): self
    {
        $this->read_timeout = $read_timeout;
        return $this;
    }

    public function getAuth(): string|array
    {
        return $this->auth;
    }

    /** A password, or ['user', 'password']. */
    public function withAuth(string|array $auth): self
    {
        $this->auth = $auth;
        return $this;
    }

    public function getDbIndex(): int
    {
        return $this->dbIndex;
    }

    /** The database that is selected. */
    public function withDbIndex(int $dbIndex): self
    {
        $this->dbIndex = $dbIndex;
        return $this;
    }

    /** One option of Redis::setOption(). */
    public function withOption(int $option, mixed $value): self
    {
        $this->options[$option] = $value;
        return $this;
    }

    public function setOptions(array $options): self
    {
        $this->options = $options;
        return $this;
    }

    public function getOptions(): array
    {
        return $this->options;
    }
}
)~~~"},
    {"swoole\\database\\redispool", "stampede://database/redis_pool.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Database;

use Redis;
use RuntimeException;
use Swoole\ConnectionPool;
use Throwable;

/**
 * A pool of Redis objects of the extension redis, which connects again by itself. One that comes back inside MULTI or
 * a pipeline discards it, and goes back to its database; one that is dead is dropped. Keys that are still watched
 * are the user's business: unwatch() them.
 */
class RedisPool extends ConnectionPool
{
    /** Seconds in the pool after which a connection is tried before use. */
    private const QUIET = 1.0;

    protected RedisConfig $config;

    public function __construct(RedisConfig $config, int $size = self::DEFAULT_SIZE)
    {
        $this->config = $config;
        parent::__construct(static fn (): Redis => self::connect($config), $size);
    }

    protected function isReusable($connection): bool
    {
        if (!$connection instanceof Redis) {
            return true;
        }
        try {
            if ($connection->getMode() !== Redis::ATOMIC) {
                $connection->discard();
            }
            $number = $connection->isConnected() ? $connection->getDBNum() : false;
            return $number === $this->config->getDbIndex()
                || ($number !== false && $connection->select($this->config->getDbIndex()) === true);
        } catch (Throwable) {
            return false;
        }
    }

    protected function isAlive($connection, float $idle): bool
    {
        if (!$connection instanceof Redis || $idle < self::QUIET) {
            return true;
        }
        try {
            return $connection->ping() !== false;
        } catch (Throwable) {
            return false;
        }
    }

    private static function connect(RedisConfig $config): Redis
    {
        if (!class_exists(Redis::class)) {
            throw new RuntimeException('A RedisPool needs the extension redis: install and load it.');
        }
        $redis = new Redis();
        $more = $config->getReserved() === '' ? null : $config->getReserved();
        $redis->connect($config->getHost(), $config->getPort(), $config->getTimeout(), $more, $config->getRetryInterval(), $config->getReadTimeout());
        if ($config->getAuth() !== '' && $config->getAuth() !== []) {
            $redis->auth($config->getAuth());
        }
        if ($config->getDbIndex() !== 0) {
            $redis->select($config->getDbIndex());
        }
        foreach ($config->getOptions() as $option => $value) {
            $redis->setOption($option, $value);
        }
        return $redis;
    }
}
)~~~"},
    {"swoole\\exception\\arraykeynotexists", "stampede://values/array_key_not_exists.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Exception;

use RuntimeException;

/** An ArrayObject was asked for a key that it does not have. */
class ArrayKeyNotExists extends RuntimeException {}
)~~~"},
    {"swoole\\fastcgi", "stampede://fastcgi/fastcgi.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole;

/** The numbers of the FastCGI protocol, version 1. */
class FastCGI
{
    public const HEADER_LEN = 8;
    public const HEADER_FORMAT = 'Cversion/Ctype/nrequestId/ncontentLength/CpaddingLength/Creserved';
    public const MAX_CONTENT_LENGTH = 65535;
    public const VERSION_1 = 1;
    public const BEGIN_REQUEST = 1;
    public const ABORT_REQUEST = 2;
    public const END_REQUEST = 3;
    public const PARAMS = 4;
    public const STDIN = 5;
    public const STDOUT = 6;
    public const STDERR = 7;
    public const DATA = 8;
    public const GET_VALUES = 9;
    public const GET_VALUES_RESULT = 10;
    public const UNKNOWN_TYPE = 11;
    public const DEFAULT_REQUEST_ID = 1;
    public const KEEP_CONN = 1;
    public const RESPONDER = 1;
    public const AUTHORIZER = 2;
    public const FILTER = 3;
    public const REQUEST_COMPLETE = 0;
    public const CANT_MPX_CONN = 1;
    public const OVERLOADED = 2;
    public const UNKNOWN_ROLE = 3;
}
)~~~"},
    {"swoole\\fastcgi\\frameparser", "stampede://fastcgi/frame_parser.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use DomainException;
use RuntimeException;
use Swoole\FastCGI;

/** Takes records off the front of what has come. */
class FrameParser
{
    /** @var array<int, class-string<Record>> */
    protected static array $classMapping = [
        FastCGI::BEGIN_REQUEST => Record\BeginRequest::class,
        FastCGI::ABORT_REQUEST => Record\AbortRequest::class,
        FastCGI::END_REQUEST => Record\EndRequest::class,
        FastCGI::PARAMS => Record\Params::class,
        FastCGI::STDIN => Record\Stdin::class,
        FastCGI::STDOUT => Record\Stdout::class,
        FastCGI::STDERR => Record\Stderr::class,
        FastCGI::DATA => Record\Data::class,
        FastCGI::GET_VALUES => Record\GetValues::class,
        FastCGI::GET_VALUES_RESULT => Record\GetValuesResult::class,
        FastCGI::UNKNOWN_TYPE => Record\UnknownType::class,
    ];

    /** Whether the bytes begin with a whole record. */
    public static function hasFrame(string $binaryBuffer): bool
    {
        return self::sizeOf($binaryBuffer) <= strlen($binaryBuffer);
    }

    /**
     * The first record; its bytes are taken off.
     *
     * @throws RuntimeException when there is no whole one
     * @throws DomainException when its type is none of the protocol
     */
    public static function parseFrame(string &$binaryBuffer): Record
    {
        $size = self::sizeOf($binaryBuffer);
        if ($size > strlen($binaryBuffer)) {
            throw new RuntimeException('There is no whole FastCGI record: receive more first.');
        }
        $class = self::$classMapping[ord($binaryBuffer[1])] ?? null;
        if ($class === null) {
            throw new DomainException('A FastCGI record has the unknown type ' . ord($binaryBuffer[1]) . '.');
        }
        $record = $class::unpack(substr($binaryBuffer, 0, $size));
        $binaryBuffer = substr($binaryBuffer, $size);
        return $record;
    }

    private static function sizeOf(string $bytes): int
    {
        if (strlen($bytes) < FastCGI::HEADER_LEN) {
            return PHP_INT_MAX;
        }
        return FastCGI::HEADER_LEN + (ord($bytes[4]) << 8 | ord($bytes[5])) + ord($bytes[6]);
    }
}
)~~~"},
    {"swoole\\fastcgi\\httprequest", "stampede://fastcgi/http_request.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use Stringable;

/** A request with the parameters of CGI (RFC 3875). */
class HttpRequest extends Request
{
    /** @var array<string, string> */
    protected array $params = [
        'REQUEST_SCHEME' => 'http',
        'REQUEST_METHOD' => 'GET',
        'DOCUMENT_ROOT' => '',
        'SCRIPT_FILENAME' => '',
        'SCRIPT_NAME' => '',
        'DOCUMENT_URI' => '/',
        'REQUEST_URI' => '/',
        'QUERY_STRING' => '',
        'CONTENT_TYPE' => 'text/plain',
        'CONTENT_LENGTH' => '0',
        'GATEWAY_INTERFACE' => 'CGI/1.1',
        'SERVER_PROTOCOL' => 'HTTP/1.1',
        'SERVER_SOFTWARE' => 'swoole/' . SWOOLE_VERSION,
        'REMOTE_ADDR' => 'unknown',
        'REMOTE_PORT' => '0',
        'SERVER_ADDR' => 'unknown',
        'SERVER_PORT' => '0',
        'SERVER_NAME' => 'Swoole',
        'REDIRECT_STATUS' => '200',
    ];

    public function getScheme(): ?string
    {
        return $this->params['REQUEST_SCHEME'] ?? null;
    }

    /** @return static */
    public function withScheme(string $scheme): self
    {
        return $this->withParam('REQUEST_SCHEME', $scheme);
    }

    public function withoutScheme(): void
    {
        unset($this->params['REQUEST_SCHEME']);
    }

    public function getMethod(): ?string
    {
        return $this->params['REQUEST_METHOD'] ?? null;
    }

    /** @return static */
    public function withMethod(string $method): self
    {
        return $this->withParam('REQUEST_METHOD', $method);
    }

    public function withoutMethod(): void
    {
        unset($this->params['REQUEST_METHOD']);
    }

    public function getDocumentRoot(): ?string
    {
        return $this->params['DOCUMENT_ROOT'] ?? null;
    }

    /** @return static */
    public function withDocumentRoot(string $documentRoot): self
    {
        return $this->withParam('DOCUMENT_ROOT', $documentRoot);
    }

    public function withoutDocumentRoot(): void
    {
        unset($this->params['DOCUMENT_ROOT']);
    }

    public function getScriptFilename(): ?string
    {
        return $this->params['SCRIPT_FILENAME'] ?? null;
    }

    /** @return static */
    public function withScriptFilename(string $scriptFilename): self
    {
        return $this->withParam('SCRIPT_FILENAME', $scriptFilename);
    }

    public function withoutScriptFilename(): void
    {
        unset($this->params['SCRIPT_FILENAME']);
    }

    public function getScriptName(): ?string
    {
        return $this->params['SCRIPT_NAME'] ?? null;
    }

    /** @return static */
    public function withScriptName(string $scriptName): self
    {
        return $this->withParam('SCRIPT_NAME', $scriptName);
    }

    public function withoutScriptName(): void
    {
        unset($this->params['SCRIPT_NAME']);
    }

    public function getDocumentUri(): ?string
    {
        return $this->params['DOCUMENT_URI'] ?? null;
    }

    /** @return static */
    public function withDocumentUri(string $documentUri): self
    {
        return $this->withParam('DOCUMENT_URI', $documentUri);
    }

    public function withoutDocumentUri(): void
    {
        unset($this->params['DOCUMENT_URI']);
    }

    public function getRequestUri(): ?string
    {
        return $this->params['REQUEST_URI'] ?? null;
    }

    /** @return static */
    public function withRequestUri(string $requestUri): self
    {
        return $this->withParam('REQUEST_URI', $requestUri);
    }

    public function withoutRequestUri(): void
    {
        unset($this->params['REQUEST_URI']);
    }

    public function getQueryString(): ?string
    {
        return $this->params['QUERY_STRING'] ?? null;
    }

    /** @return static */
    public function withQueryString(string $queryString): self
    {
        return $this->withParam('QUERY_STRING', $queryString);
    }

    public function withoutQueryString(): void
    {
        unset($this->params['QUERY_STRING']);
    }

    public function getContentType(): ?string
    {
        return $this->params['CONTENT_TYPE'] ?? null;
    }

    /** @return static */
    public function withContentType(string $contentType): self
    {
        return $this->withParam('CONTENT_TYPE', $contentType);
    }

    public function withoutContentType(): void
    {
        unset($this->params['CONTENT_TYPE']);
    }

    public function getContentLength(): ?int
    {
        return isset($this->params['CONTENT_LENGTH']) ? (int) $this->params['CONTENT_LENGTH'] : null;
    }

    /** @return static */
    public function withContentLength(int $contentLength): self
    {
        return $this->withParam('CONTENT_LENGTH', (string) $contentLength);
    }

    public function withoutContentLength(): void
    {
        unset($this->params['CONTENT_LENGTH']);
    }

    public function getGatewayInterface(): ?string
    {
        return $this->params['GATEWAY_INTERFACE'] ?? null;
    }

    /** @return static */
    public function withGatewayInterface(string $gatewayInterface): self
    {
        return $this->withParam('GATEWAY_INTERFACE', $gatewayInterface);
    }

    public function withoutGatewayInterface(): void
    {
        unset($this->params['GATEWAY_INTERFACE']);
    }

    public function getServerProtocol(): ?string
    {
        return $this->params['SERVER_PROTOCOL'] ?? null;
    }

    /** @return static */
    public function withServerProtocol(string $serverProtocol): self
    {
        return $this->withParam('SERVER_PROTOCOL', $serverProtocol);
    }

    public function withoutServerProtocol(): void
    {
        unset($this->params['SERVER_PROTOCOL']);
    }

    public function getServerSoftware(): ?string
    {
        return $this->params['SERVER_SOFTWARE'] ?? null;
    }

    /** @return static */
    public function withServerSoftware(string $serverSoftware): self
    {
        return $this->withParam('SERVER_SOFTWARE', $serverSoftware);
    }

    public function withoutServerSoftware(): void
    {
        unset($this->params['SERVER_SOFTWARE']);
    }

    public function getRemoteAddr(): ?string
    {
        return $this->params['REMOTE_ADDR'] ?? null;
    }

    /** @return static */
    public function withRemoteAddr(string $remoteAddr): self
    {
        return $this->withParam('REMOTE_ADDR', $remoteAddr);
    }

    public function withoutRemoteAddr(): void
    {
        unset($this->params['REMOTE_ADDR']);
    }

    public function getRemotePort(): ?int
    {
        return isset($this->params['REMOTE_PORT']) ? (int) $this->params['REMOTE_PORT'] : null;
    }

    /** @return static */
    public function withRemotePort(int $remotePort): self
    {
        return $this->withParam('REMOTE_PORT', (string) $remotePort);
    }

    public function withoutRemotePort(): void
    {
        unset($this->params['REMOTE_PORT']);
    }

    public function getServerAddr(): ?string
    {
        return $this->params['SERVER_ADDR'] ?? null;
    }

    /** @return static */
    public function withServerAddr(string $serverAddr): self
    {
        return $this->withParam('SERVER_ADDR', $serverAddr);
    }

    public function withoutServerAddr(): void
    {
        unset($this->params['SERVER_ADDR']);
    }

    public function getServerPort(): ?int
    {
        return isset($this->params['SERVER_PORT']) ? (int) $this->params['SERVER_PORT'] : null;
    }

    /** @return static */
    public function withServerPort(int $serverPort): self
    {
        return $this->withParam('SERVER_PORT', (string) $serverPort);
    }

    public function withoutServerPort(): void
    {
        unset($this->params['SERVER_PORT']);
    }

    public function getServerName(): ?string
    {
        return $this->params['SERVER_NAME'] ?? null;
    }

    /** @return static */
    public function withServerName(string $serverName): self
    {
        return $this->withParam('SERVER_NAME', $serverName);
    }

    public function withoutServerName(): void
    {
        unset($this->params['SERVER_NAM)~~~"
     R"~~~(E']);
    }

    public function getRedirectStatus(): ?string
    {
        return $this->params['REDIRECT_STATUS'] ?? null;
    }

    /** @return static */
    public function withRedirectStatus(string $redirectStatus): self
    {
        return $this->withParam('REDIRECT_STATUS', $redirectStatus);
    }

    public function withoutRedirectStatus(): void
    {
        unset($this->params['REDIRECT_STATUS']);
    }

    /**
     * Path and query at once.
     *
     * @return static
     */
    public function withUri(string $uri): self
    {
        $parts = explode('?', $uri, 2);
        return $this->withRequestUri($uri)->withDocumentUri($parts[0])->withQueryString($parts[1] ?? '');
    }

    /**
     * @param array<mixed>|string $query
     * @return static
     */
    public function withQuery(array|string $query): self
    {
        return $this->withQueryString(is_array($query) ? http_build_query($query) : $query);
    }

    /** @return static */
    public function withProtocolVersion(string $protocolVersion): self
    {
        if (!is_numeric($protocolVersion)) {
            throw new \InvalidArgumentException('The version of HTTP is a number such as 1.1.');
        }
        return $this->withServerProtocol("HTTP/$protocolVersion");
    }

    public function getHeader(string $name): ?string
    {
        return $this->params[static::convertHeaderNameToParamName($name)] ?? null;
    }

    /** @return static */
    public function withHeader(string $name, string $value): self
    {
        return $this->withParam(static::convertHeaderNameToParamName($name), $value);
    }

    public function withoutHeader(string $name): void
    {
        unset($this->params[static::convertHeaderNameToParamName($name)]);
    }

    /** @return array<string, string> */
    public function getHeaders(): array
    {
        $headers = [];
        foreach ($this->params as $name => $value) {
            if (str_starts_with($name, 'HTTP_')) {
                $headers[static::convertParamNameToHeaderName($name)] = $value;
            }
        }
        return $headers;
    }

    /**
     * @param array<string, string> $headers
     * @return static
     */
    public function withHeaders(array $headers): self
    {
        foreach ($headers as $name => $value) {
            $this->withHeader((string) $name, $value);
        }
        return $this;
    }

    /**
     * An array is sent as a form; type and length follow from the body.
     *
     * @param array<mixed>|string|Stringable $body
     * @return static
     */
    public function withBody(array|string|Stringable $body): self
    {
        if (is_array($body)) {
            $body = http_build_query($body);
            $this->withContentType('application/x-www-form-urlencoded');
        }
        parent::withBody($body);
        return $this->withContentLength(strlen($this->body));
    }

    /**
     * @param string $name
     * @return string
     */
    protected static function convertHeaderNameToParamName($name)
    {
        return 'HTTP_' . strtoupper(strtr($name, '-', '_'));
    }

    /**
     * @param string $name
     * @return string
     */
    protected static function convertParamNameToHeaderName($name)
    {
        return ucwords(strtolower(strtr(substr($name, 5), '_', '-')), '-');
    }
}
)~~~"},
    {"swoole\\fastcgi\\httpresponse", "stampede://fastcgi/http_response.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use Swoole\Http\Status;

/** An answer with the header fields of CGI taken off its body. */
class HttpResponse extends Response
{
    /** @var int */
    protected $statusCode;

    /** @var string */
    protected $reasonPhrase;

    /** @var array<string, string> */
    protected array $headers = [];

    /** @var array<string, string> names in lower case to names as they came */
    protected array $headersMap = [];

    /** @var list<string> */
    protected array $setCookieHeaderLines = [];

    /** @param list<Record> $records */
    public function __construct(array $records = [])
    {
        $this->withStatusCode(Status::OK);
        if ($records === []) {
            return;
        }
        parent::__construct($records);
        $end = strpos($this->body, "\r\n\r\n");
        if ($end === false) {
            $this->withStatusCode(Status::BAD_GATEWAY)->withError($this->body);
            return;
        }
        $lines = explode("\r\n", substr($this->body, 0, $end));
        $this->body = substr($this->body, $end + 4);
        foreach ($lines as $line) {
            $this->takeLine($line);
        }
    }

    public function getStatusCode(): int
    {
        return $this->statusCode;
    }

    /** @return static */
    public function withStatusCode(int $statusCode): self
    {
        $this->statusCode = $statusCode;
        return $this->withReasonPhrase(Status::getReasonPhrase($statusCode));
    }

    public function getReasonPhrase(): string
    {
        return $this->reasonPhrase;
    }

    /** @return static */
    public function withReasonPhrase(string $reasonPhrase): self
    {
        $this->reasonPhrase = $reasonPhrase;
        return $this;
    }

    public function getHeader(string $name): ?string
    {
        $name = $this->headersMap[strtolower($name)] ?? null;
        return $name === null ? null : $this->headers[$name];
    }

    /** @return array<string, string> */
    public function getHeaders(): array
    {
        return $this->headers;
    }

    /** @return static */
    public function withHeader(string $name, string $value): self
    {
        $name = $this->headersMap[strtolower($name)] ??= $name;
        $this->headers[$name] = $value;
        return $this;
    }

    /**
     * @param array<string, string> $headers
     * @return static
     */
    public function withHeaders(array $headers): self
    {
        foreach ($headers as $name => $value) {
            $this->withHeader((string) $name, $value);
        }
        return $this;
    }

    /** @return list<string> */
    public function getSetCookieHeaderLines(): array
    {
        return $this->setCookieHeaderLines;
    }

    /** @return static */
    public function withSetCookieHeaderLine(string $value): self
    {
        $this->setCookieHeaderLines[] = $value;
        return $this;
    }

    private function takeLine(string $line): void
    {
        $parts = explode(':', $line, 2);
        if (count($parts) < 2) {
            return;
        }
        [$name, $value] = [$parts[0], trim($parts[1])];
        if (strcasecmp($name, 'Status') === 0) {
            [$code, $reason] = explode(' ', $value, 2) + [1 => ''];
            $this->withStatusCode((int) $code);
            if ($reason !== '') {
                $this->withReasonPhrase($reason);
            }
        } elseif (strcasecmp($name, 'Set-Cookie') === 0) {
            $this->withSetCookieHeaderLine($value);
        } else {
            $this->withHeader($name, $value);
        }
    }
}
)~~~"},
    {"swoole\\fastcgi\\message", "stampede://fastcgi/message.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use Stringable;

/** What requests and answers have: parameters, a body, a report of errors. */
class Message
{
    /** @var array<string, string> */
    protected array $params = [];

    protected string $body = '';

    protected string $error = '';

    public function getParam(string $name): ?string
    {
        return $this->params[$name] ?? null;
    }

    public function withParam(string $name, string $value): static
    {
        $this->params[$name] = $value;
        return $this;
    }

    public function withoutParam(string $name): static
    {
        unset($this->params[$name]);
        return $this;
    }

    /** @return array<string, string> */
    public function getParams(): array
    {
        return $this->params;
    }

    /** @param array<string, string> $params */
    public function withParams(array $params): static
    {
        $this->params = $params;
        return $this;
    }

    /** @param array<string, string> $params */
    public function withAddedParams(array $params): static
    {
        $this->params = $params + $this->params;
        return $this;
    }

    public function getBody(): string
    {
        return $this->body;
    }

    /** @return static */
    public function withBody(string|Stringable $body): self
    {
        $this->body = (string) $body;
        return $this;
    }

    public function getError(): string
    {
        return $this->error;
    }

    public function withError(string $error): static
    {
        $this->error = $error;
        return $this;
    }
}
)~~~"},
    {"swoole\\fastcgi\\record", "stampede://fastcgi/record.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use InvalidArgumentException;
use Stringable;
use Swoole\FastCGI;

/** One record of the protocol: a header and up to 65535 bytes of content. */
class Record implements Stringable
{
    protected int $version = FastCGI::VERSION_1;

    protected int $type = FastCGI::UNKNOWN_TYPE;

    protected int $requestId = FastCGI::DEFAULT_REQUEST_ID;

    protected int $reserved = 0;

    private string $contentData = '';

    /** The record as bytes, filled up to a multiple of eight. */
    final public function __toString(): string
    {
        $content = $this->packPayload();
        $padding = -strlen($content) & 7;
        $header = pack('CCnnCC', $this->version, $this->type, $this->requestId, strlen($content), $padding, $this->reserved);
        return $header . $content . str_repeat("\0", $padding);
    }

    /** The record of these bytes. */
    final public static function unpack(string $binaryData): static
    {
        $header = strlen($binaryData) < FastCGI::HEADER_LEN ? false : unpack(FastCGI::HEADER_FORMAT, $binaryData);
        if ($header === false || strlen($binaryData) < FastCGI::HEADER_LEN + $header['contentLength']) {
            throw new InvalidArgumentException('The bytes are no whole FastCGI record.');
        }
        $self = (new \ReflectionClass(static::class))->newInstanceWithoutConstructor();
        $self->version = $header['version'];
        $self->type = $header['type'];
        $self->requestId = $header['requestId'];
        $self->reserved = $header['reserved'];
        $content = substr($binaryData, FastCGI::HEADER_LEN, $header['contentLength']);
        $self->setContentData($content);
        static::unpackPayload($self, $content);
        return $self;
    }

    /** @return static */
    public function setContentData(string $data): self
    {
        if (strlen($data) > FastCGI::MAX_CONTENT_LENGTH) {
            throw new InvalidArgumentException('A FastCGI record holds at most ' . FastCGI::MAX_CONTENT_LENGTH . ' bytes.');
        }
        $this->contentData = $data;
        return $this;
    }

    public function getContentData(): string
    {
        return $this->contentData;
    }

    public function getVersion(): int
    {
        return $this->version;
    }

    public function getType(): int
    {
        return $this->type;
    }

    public function getRequestId(): int
    {
        return $this->requestId;
    }

    /** @return static */
    public function setRequestId(int $requestId): self
    {
        $this->requestId = $requestId;
        return $this;
    }

    final public function getContentLength(): int
    {
        return strlen($this->packPayload());
    }

    final public function getPaddingLength(): int
    {
        return -$this->getContentLength() & 7;
    }

    /** Reads what the content says into the record. */
    protected static function unpackPayload(self $self, string $binaryData): void {}

    protected function packPayload(): string
    {
        return $this->contentData;
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\abortrequest", "stampede://fastcgi/record_abort_request.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** Asks to end a request early. */
class AbortRequest extends Record
{
    public function __construct(int $requestId)
    {
        $this->type = FastCGI::ABORT_REQUEST;
        $this->setRequestId($requestId);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\beginrequest", "stampede://fastcgi/record_begin_request.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** Begins a request: what the application shall do, and whether the connection stays. */
class BeginRequest extends Record
{
    protected int $role = FastCGI::UNKNOWN_ROLE;

    protected int $flags = 0;

    protected string $reserved1 = '';

    public function __construct(int $role = FastCGI::UNKNOWN_ROLE, int $flags = 0, string $reserved = '')
    {
        $this->type = FastCGI::BEGIN_REQUEST;
        $this->role = $role;
        $this->flags = $flags;
        $this->reserved1 = $reserved;
        $this->setContentData($this->packPayload());
    }

    public function getRole(): int
    {
        return $this->role;
    }

    public function getFlags(): int
    {
        return $this->flags;
    }

    protected static function unpackPayload(Record $self, string $binaryData): void
    {
        assert($self instanceof self);
        $fields = strlen($binaryData) < 8 ? false : unpack('nrole/Cflags/a5reserved', $binaryData);
        if ($fields !== false) {
            $self->role = $fields['role'];
            $self->flags = $fields['flags'];
            $self->reserved1 = $fields['reserved'];
        }
    }

    protected function packPayload(): string
    {
        return pack('nCa5', $this->role, $this->flags, $this->reserved1);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\data", "stampede://fastcgi/record_data.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** More input of a filter. */
class Data extends Record
{
    public function __construct(string $contentData)
    {
        $this->type = FastCGI::DATA;
        $this->setContentData($contentData);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\endrequest", "stampede://fastcgi/record_end_request.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** Ends a request. */
class EndRequest extends Record
{
    protected int $appStatus = 0;

    protected int $protocolStatus = FastCGI::REQUEST_COMPLETE;

    protected string $reserved1 = '';

    public function __construct(int $protocolStatus = FastCGI::REQUEST_COMPLETE, int $appStatus = 0, string $reserved = '')
    {
        $this->type = FastCGI::END_REQUEST;
        $this->protocolStatus = $protocolStatus;
        $this->appStatus = $appStatus;
        $this->reserved1 = $reserved;
        $this->setContentData($this->packPayload());
    }

    public function getAppStatus(): int
    {
        return $this->appStatus;
    }

    public function getProtocolStatus(): int
    {
        return $this->protocolStatus;
    }

    protected static function unpackPayload(Record $self, string $binaryData): void
    {
        assert($self instanceof self);
        $fields = strlen($binaryData) < 8 ? false : unpack('Napp/Cprotocol/a3reserved', $binaryData);
        if ($fields !== false) {
            $self->appStatus = $fields['app'];
            $self->protocolStatus = $fields['protocol'];
            $self->reserved1 = $fields['reserved'];
        }
    }

    protected function packPayload(): string
    {
        return pack('NCa3', $this->appStatus, $this->protocolStatus, $this->reserved1);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\getvalues", "stampede://fastcgi/record_get_values.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;

/** Asks the application about itself. */
class GetValues extends Params
{
    /** @param list<string> $keys */
    public function __construct(array $keys)
    {
        parent::__construct(array_fill_keys($keys, ''));
        $this->type = FastCGI::GET_VALUES;
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\getvaluesresult", "stampede://fastcgi/record_get_values_result.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;

/** What the application says about itself. */
class GetValuesResult extends Params
{
    /** @param array<string, mixed> $values */
    public function __construct(array $values)
    {
        parent::__construct($values);
        $this->type = FastCGI::GET_VALUES_RESULT;
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\params", "stampede://fastcgi/record_params.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** Names and values for the application. */
class Params extends Record
{
    /** @var array<string, string> */
    protected array $values = [];

    /** @param array<string, mixed> $values */
    public function __construct(array $values)
    {
        $this->type = FastCGI::PARAMS;
        foreach ($values as $name => $value) {
            $this->values[(string) $name] = self::text($value);
        }
        $this->setContentData($this->packPayload());
    }

    /** @return array<string, string> */
    public function getValues(): array
    {
        return $this->values;
    }

    protected static function unpackPayload(Record $self, string $binaryData): void
    {
        assert($self instanceof self);
        $at = 0;
        while ($at < strlen($binaryData)) {
            $nameLength = self::readLength($binaryData, $at);
            $valueLength = self::readLength($binaryData, $at);
            if ($nameLength + $valueLength > strlen($binaryData) - $at) {
                return;  // goes on in the next record
            }
            $self->values[substr($binaryData, $at, $nameLength)] = substr($binaryData, $at + $nameLength, $valueLength);
            $at += $nameLength + $valueLength;
        }
    }

    protected function packPayload(): string
    {
        $content = '';
        foreach ($this->values as $name => $value) {
            $content .= self::length((string) $name) . self::length($value) . $name . $value;
        }
        return $content;
    }

    private static function text(mixed $value): string
    {
        return is_scalar($value) || $value instanceof \Stringable ? (string) $value : '';
    }

    private static function length(string $text): string
    {
        $length = strlen($text);
        return $length > 127 ? pack('N', $length | 0x80000000) : chr($length);
    }

    private static function readLength(string $bytes, int &$at): int
    {
        $first = ord($bytes[$at] ?? "\0");
        if ($first < 128) {
            $at++;
            return $first;
        }
        $fields = unpack('Nlength', str_pad(substr($bytes, $at, 4), 4, "\0"));
        $at += 4;
        return $fields === false ? 0 : $fields['length'] & 0x7fffffff;
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\stderr", "stampede://fastcgi/record_stderr.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** A piece of what the application reports. */
class Stderr extends Record
{
    public function __construct(string $contentData)
    {
        $this->type = FastCGI::STDERR;
        $this->setContentData($contentData);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\stdin", "stampede://fastcgi/record_stdin.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** A piece of the request's body. */
class Stdin extends Record
{
    public function __construct(string $contentData)
    {
        $this->type = FastCGI::STDIN;
        $this->setContentData($contentData);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\stdout", "stampede://fastcgi/record_stdout.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** A piece of the answer. */
class Stdout extends Record
{
    public function __construct(string $contentData)
    {
        $this->type = FastCGI::STDOUT;
        $this->setContentData($contentData);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\unknowntype", "stampede://fastcgi/record_unknown_type.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** The answer to a record whose type the application does not know. */
class UnknownType extends Record
{
    protected int $type1 = 0;

    protected string $reserved1 = '';

    public function __construct(int $type, string $reserved = '')
    {
        $this->type = FastCGI::UNKNOWN_TYPE;
        $this->type1 = $type;
        $this->reserved1 = $reserved;
        $this->setContentData($this->packPayload());
    }

    public function getUnrecognizedType(): int
    {
        return $this->type1;
    }

    public static function unpackPayload(Record $self, string $binaryData): void
    {
        assert($self instanceof self);
        $fields = strlen($binaryData) < 8 ? false : unpack('Ctype/a7reserved', $binaryData);
        if ($fields !== false) {
            $self->type1 = $fields['type'];
            $self->reserved1 = $fields['reserved'];
        }
    }

    protected function packPayload(): string
    {
        return pack('Ca7', $this->type1, $this->reserved1);
    }
}
)~~~"},
    {"swoole\\fastcgi\\request", "stampede://fastcgi/request.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use Stringable;
use Swoole\FastCGI;

/** A request to a responder; as a string the records that say it. */
class Request extends Message implements Stringable
{
    protected bool $keepConn = false;

    public function __toString(): string
    {
        $out = (string) new Record\BeginRequest(FastCGI::RESPONDER, $this->keepConn ? FastCGI::KEEP_CONN : 0);
        $params = '';
        foreach ($this->params as $name => $value) {
            $params .= (new Record\Params([$name => $value]))->getContentData();
        }
        foreach (self::pieces($params) as $piece) {
            $out .= self::record(FastCGI::PARAMS, $piece);
        }
        $out .= self::record(FastCGI::PARAMS, '');
        foreach (self::pieces($this->body) as $piece) {
            $out .= self::record(FastCGI::STDIN, $piece);
        }
        return $out . self::record(FastCGI::STDIN, '');
    }

    /** Whether the application shall keep the connection. */
    public function getKeepConn(): bool
    {
        return $this->keepConn;
    }

    /** @return static */
    public function withKeepConn(bool $keepConn): self
    {
        $this->keepConn = $keepConn;
        return $this;
    }

    /** @return list<string> */
    private static function pieces(string $bytes): array
    {
        return $bytes === '' ? [] : str_split($bytes, FastCGI::MAX_CONTENT_LENGTH);
    }

    private static function record(int $type, string $content): string
    {
        $padding = -strlen($content) & 7;
        return pack('CCnnCC', FastCGI::VERSION_1, $type, FastCGI::DEFAULT_REQUEST_ID, strlen($content), $padding, 0)
            . $content . str_repeat("\0", $padding);
    }
}
)~~~"},
    {"swoole\\fastcgi\\response", "stampede://fastcgi/response.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use InvalidArgumentException;

/** An answer, put together from its records. */
class Response extends Message
{
    /**
     * @param list<Record> $records
     * @throws InvalidArgumentException when they do not end with the end of the request
     */
    public function __construct(array $records)
    {
        if (!static::verify($records)) {
            throw new InvalidArgumentException('The records do not end with an EndRequest: the answer is not complete.');
        }
        $body = $error = '';
        foreach ($records as $record) {
            if ($record instanceof Record\Stdout) {
                $body .= $record->getContentData();
            } elseif ($record instanceof Record\Stderr) {
                $error .= $record->getContentData();
            }
        }
        $this->body = $body;
        $this->error = $error;
    }

    /** @param list<Record> $records */
    protected static function verify(array $records): bool
    {
        return end($records) instanceof Record\EndRequest;
    }
}
)~~~"},
    {"swoole\\multibytestringobject", "stampede://values/multibyte_string_object.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole;

/** A text whose offsets and lengths are characters of an encoding, by default mb_internal_encoding(). Needs PHP's mbstring. */
class MultibyteStringObject extends StringObject
{
    public function length(): int
    {
        return mb_strlen($this->string);
    }

    public function indexOf(string $needle, int $offset = 0, ?string $encoding = null): false|int
    {
        return mb_strpos($this->string, $needle, $offset, $encoding);
    }

    public function lastIndexOf(string $needle, int $offset = 0, ?string $encoding = null): false|int
    {
        return mb_strrpos($this->string, $needle, $offset, $encoding);
    }

    public function pos(string $needle, int $offset = 0, ?string $encoding = null): false|int
    {
        return mb_strpos($this->string, $needle, $offset, $encoding);
    }

    public function rpos(string $needle, int $offset = 0, ?string $encoding = null): false|int
    {
        return mb_strrpos($this->string, $needle, $offset, $encoding);
    }

    public function ipos(string $needle, int $offset = 0, ?string $encoding = null): int|false
    {
        return mb_stripos($this->string, $needle, $offset, $encoding);
    }

    public function substr(int $start, ?int $length = null, ?string $encoding = null): static
    {
        return new static(mb_substr($this->string, $start, $length, $encoding));
    }

    public function chunk(int $length = 1): ArrayObject
    {
        return static::detectArrayType(mb_str_split($this->string, $length));
    }
}
)~~~"},
    {"swoole\\objectproxy", "stampede://object_proxy.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole;

use TypeError;

/** Passes everything on to the object inside. */
class ObjectProxy
{
    /** @var object */
    protected $__object;

    public function __construct(object $object)
    {
        $this->__object = $object;
    }

    /** @return object the one inside */
    public function __getObject()
    {
        return $this->__object;
    }

    /** @return mixed */
    public function __get(string $name)
    {
        return $this->__object->{$name};
    }

    public function __set(string $name, mixed $value): void
    {
        $this->__object->{$name} = $value;
    }

    /** @return bool */
    public function __isset(string $name)
    {
        return isset($this->__object->{$name});
    }

    public function __unset(string $name): void
    {
        unset($this->__object->{$name});
    }

    /** @return mixed */
    public function __call(string $name, array $arguments)
    {
        return $this->__object->{$name}(...$arguments);
    }

    /** @return mixed */
    public function __invoke(mixed ...$arguments)
    {
        $object = $this->__object;
        if (!is_callable($object)) {
            throw new TypeError($object::class . ' cannot be called as a function.');
        }
        return $object(...$arguments);
    }
}
)~~~"},
    {"swoole\\process\\manager", "stampede://process/manager.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Process;

/**
 * Runs a different function in each worker of a pool: add() them all, then start().
 */
class Manager
{
    /** @var Pool|null */
    protected $pool;

    /** @var int */
    protected $ipcType = SWOOLE_IPC_NONE;

    /** @var int */
    protected $msgQueueKey = 0;

    /** @var array<int, array{callable, bool}> By worker: its function, and whether that runs in a coroutine. */
    protected $startFuncMap = [];

    public function __construct(int $ipcType = SWOOLE_IPC_NONE, int $msgQueueKey = 0)
    {
        $this->setIPCType($ipcType)->setMsgQueueKey($msgQueueKey);
    }

    public function add(callable $func, bool $enableCoroutine = false): self
    {
        return $this->addBatch(1, $func, $enableCoroutine);
    }

    public function addBatch(int $workerNum, callable $func, bool $enableCoroutine = false): self
    {
        for ($i = 0; $i < $workerNum; $i++) {
            $this->startFuncMap[] = [$func, $enableCoroutine];
        }
        return $this;
    }

    /** Returns when the pool has been stopped. */
    public function start(): void
    {
        $this->pool = new Pool(count($this->startFuncMap), $this->ipcType, $this->msgQueueKey, false);
        $functions = $this->startFuncMap;  // not $this: the pool would be in a cycle with it
        $this->pool->on('WorkerStart', static function (Pool $pool, int $workerId) use ($functions): void {
            [$func, $enableCoroutine] = $functions[$workerId];
            if ($enableCoroutine) {
                \Swoole\Coroutine\run($func, $pool, $workerId);
            } else {
                $func($pool, $workerId);
            }
        });
        $this->pool->start();
    }

    public function setIPCType(int $ipcType): self
    {
        $this->ipcType = $ipcType;
        return $this;
    }

    public function getIPCType(): int
    {
        return $this->ipcType;
    }

    public function setMsgQueueKey(int $msgQueueKey): self
    {
        $this->msgQueueKey = $msgQueueKey;
        return $this;
    }

    public function getMsgQueueKey(): int
    {
        return $this->msgQueueKey;
    }
}
)~~~"},
    {"swoole\\server\\helper", "stampede://server/helper.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Server;

use Swoole\Server;
use Swoole\Timer;

/** The names of all options of servers, and what the library does in a server's events. The server calls these by itself. */
class Helper
{
    /** Milliseconds between two writes of stats_file. */
    public const STATS_TIMER_INTERVAL_TIME = 1000;

    /** Of a process. */
    public const GLOBAL_OPTIONS = [
        'debug_mode' => true,
        'trace_flags' => true,
        'log_file' => true,
        'log_level' => true,
        'log_date_format' => true,
        'log_date_with_microseconds' => true,
        'log_rotation' => true,
        'display_errors' => true,
        'dns_server' => true,
        'socket_dns_timeout' => true,
        'socket_connect_timeout' => true,
        'socket_write_timeout' => true,
        'socket_send_timeout' => true,
        'socket_read_timeout' => true,
        'socket_recv_timeout' => true,
        'socket_buffer_size' => true,
        'socket_timeout' => true,
        'http2_header_table_size' => true,
        'http2_enable_push' => true,
        'http2_max_concurrent_streams' => true,
        'http2_init_window_size' => true,
        'http2_max_frame_size' => true,
        'http2_max_header_list_size' => true,
        'http2_max_headers' => true,
    ];

    /** Of a server. */
    public const SERVER_OPTIONS = [
        'chroot' => true,
        'user' => true,
        'group' => true,
        'daemonize' => true,
        'pid_file' => true,
        'reactor_num' => true,
        'single_thread' => true,
        'worker_num' => true,
        'max_wait_time' => true,
        'max_queued_bytes' => true,
        'max_concurrency' => true,
        'worker_max_concurrency' => true,
        'enable_coroutine' => true,
        'send_timeout' => true,
        'dispatch_mode' => true,
        'send_yield' => true,
        'dispatch_func' => true,
        'discard_timeout_request' => true,
        'enable_unsafe_event' => true,
        'enable_delay_receive' => true,
        'enable_reuse_port' => true,
        'task_use_object' => true,
        'task_object' => true,
        'event_object' => true,
        'task_enable_coroutine' => true,
        'task_worker_num' => true,
        'task_ipc_mode' => true,
        'task_tmpdir' => true,
        'task_max_request' => true,
        'task_max_request_grace' => true,
        'max_connection' => true,
        'max_conn' => true,
        'start_session_id' => true,
        'heartbeat_check_interval' => true,
        'heartbeat_idle_time' => true,
        'max_request' => true,
        'max_request_grace' => true,
        'reload_async' => true,
        'open_cpu_affinity' => true,
        'cpu_affinity_ignore' => true,
        'http_parse_cookie' => true,
        'http_parse_post' => true,
        'http_parse_files' => true,
        'http_compression' => true,
        'http_compression_level' => true,
        'compression_level' => true,
        'http_gzip_level' => true,
        'http_compression_min_length' => true,
        'compression_min_length' => true,
        'websocket_compression' => true,
        'upload_tmp_dir' => true,
        'upload_max_filesize' => true,
        'enable_static_handler' => true,
        'document_root' => true,
        'http_autoindex' => true,
        'http_index_files' => true,
        'http_compression_types' => true,
        'compression_types' => true,
        'static_handler_locations' => true,
        'input_buffer_size' => true,
        'buffer_input_size' => true,
        'output_buffer_size' => true,
        'buffer_output_size' => true,
        'message_queue_key' => true,
        'bootstrap' => true,
        'init_arguments' => true,
        'url_rewrite_rules' => true,
    ];

    /** Of a port. */
    public const PORT_OPTIONS = [
        'ssl_cert_file' => true,
        'ssl_key_file' => true,
        'backlog' => true,
        'socket_buffer_size' => true,
        'kernel_socket_recv_buffer_size' => true,
        'kernel_socket_send_buffer_size' => true,
        'heartbeat_idle_time' => true,
        'buffer_high_watermark' => true,
        'buffer_low_watermark' => true,
        'open_tcp_nodelay' => true,
        'tcp_defer_accept' => true,
        'open_tcp_keepalive' => true,
        'open_eof_check' => true,
        'open_eof_split' => true,
        'package_eof' => true,
        'open_http_protocol' => true,
        'open_websocket_protocol' => true,
        'websocket_subprotocol' => true,
        'open_websocket_close_frame' => true,
        'open_websocket_ping_frame' => true,
        'open_websocket_pong_frame' => true,
        'open_http2_protocol' => true,
        'open_mqtt_protocol' => true,
        'open_redis_protocol' => true,
        'max_idle_time' => true,
        'tcp_keepidle' => true,
        'tcp_keepinterval' => true,
        'tcp_keepcount' => true,
        'tcp_user_timeout' => true,
        'tcp_fastopen' => true,
        'open_length_check' => true,
        'package_length_type' => true,
        'package_length_offset' => true,
        'package_body_offset' => true,
        'package_body_start' => true,
        'package_length_func' => true,
        'package_max_length' => true,
        'ssl_compress' => true,
        'ssl_protocols' => true,
        'ssl_verify_peer' => true,
        'ssl_allow_self_signed' => true,
        'ssl_client_cert_file' => true,
        'ssl_cafile' => true,
        'ssl_capath' => true,
        'ssl_verify_depth' => true,
        'ssl_prefer_server_ciphers' => true,
        'ssl_ciphers' => true,
        'ssl_ecdh_curve' => true,
        'ssl_dhparam' => true,
        'ssl_sni_certs' => true,
    ];

    /** Of helper threads. */
    public const AIO_OPTIONS = [
        'aio_core_worker_num' => true,
        'aio_worker_num' => true,
        'aio_max_wait_time' => true,
        'aio_max_idle_time' => true,
        'iouring_entries' => true,
        'iouring_workers' => true,
        'iouring_flag' => true,
        'enable_signalfd' => true,
        'wait_signal' => true,
        'dns_cache_refresh_time' => true,
        'thread_num' => true,
        'min_thread_num' => true,
        'max_thread_num' => true,
        'socket_dontwait' => true,
        'dns_lookup_random' => true,
        'use_async_resolver' => true,
        'enable_coroutine' => true,
    ];

    /** Of coroutines. */
    public const COROUTINE_OPTIONS = [
        'max_coro_num' => true,
        'max_coroutine' => true,
        'enable_deadlock_check' => true,
        'hook_flags' => true,
        'enable_preemptive_scheduler' => true,
        'c_stack_size' => true,
        'stack_size' => true,
        'name_resolver' => true,
        'dns_cache_expire' => true,
        'dns_cache_capacity' => true,
    ];

    /** Of this class. */
    public const HELPER_OPTIONS = [
        'stats_file' => true,
        'stats_timer_interval' => true,
        'admin_server' => true,
    ];

    /**
     * Warns of names that no option has.
     *
     * @param array<string, mixed> $input_options
     */
    public static function checkOptions(array $input_options): void
    {
        $known = self::GLOBAL_OPTIONS + self::SERVER_OPTIONS + self::PORT_OPTIONS + self::AIO_OPTIONS + self::COROUTINE_OPTIONS + self::HELPER_OPTIONS;
        foreach (array_keys(array_diff_key($input_options, $known)) as $name) {
            trigger_error("unsupported option [{$name}]", E_USER_WARNING);
        }
    }

    public static function onBeforeStart(Server $server): void {}

    public static function onBeforeShutdown(Server $server): void {}

    /** With stats_file the first worker writes what stats() gives, a line for each value, every stats_timer_interval milliseconds. */
    public static function onWorkerStart(Server $server, int $workerId): void
    {
        $file = $server->setting['stats_file'] ?? '';
        if ($workerId !== 0 || $file === '') {
            return;
        }
        $write = static function () use ($ser)~~~"
     R"~~~(ver, $file): void {
            $lines = '';
            foreach ($server->stats() as $name => $value) {
                $lines .= "{$name}: {$value}\n";
            }
            if (@file_put_contents("{$file}.new", $lines) === false || !@rename("{$file}.new", $file)) {
                trigger_error("the stats_file {$file} cannot be written", E_USER_WARNING);
            }
        };
        $write();
        $server->stats_timer = Timer::tick((int) ($server->setting['stats_timer_interval'] ?? self::STATS_TIMER_INTERVAL_TIME), $write);
    }

    public static function onWorkerExit(Server $server, int $workerId): void
    {
        if ($server->stats_timer) {
            Timer::clear($server->stats_timer);
            $server->stats_timer = null;
        }
    }

    /** @return void */
    public static function onWorkerStop(Server $server, int $workerId) {}

    public static function onStart(Server $server): void {}

    /** @return void */
    public static function onShutdown(Server $server) {}

    /** @return void */
    public static function onBeforeReload(Server $server) {}

    /** @return void */
    public static function onAfterReload(Server $server) {}

    /** @return void */
    public static function onManagerStart(Server $server) {}

    /** @return void */
    public static function onManagerStop(Server $server) {}

    /** @return void */
    public static function onWorkerError(Server $server) {}
}
)~~~"},
    {"swoole\\stringobject", "stampede://values/string_object.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole;

use Stringable;

/** A text with methods: those that change it give a new object. Offsets and lengths are bytes. */
class StringObject implements Stringable
{
    public function __construct(protected string $string = '') {}

    public function __toString(): string
    {
        return $this->string;
    }

    public static function from(string $string = ''): static
    {
        return new static($string);
    }

    public function length(): int
    {
        return strlen($this->string);
    }

    public function indexOf(string $needle, int $offset = 0): false|int
    {
        return strpos($this->string, $needle, $offset);
    }

    public function lastIndexOf(string $needle, int $offset = 0): false|int
    {
        return strrpos($this->string, $needle, $offset);
    }

    public function pos(string $needle, int $offset = 0): false|int
    {
        return strpos($this->string, $needle, $offset);
    }

    public function rpos(string $needle, int $offset = 0): false|int
    {
        return strrpos($this->string, $needle, $offset);
    }

    public function reverse(): static
    {
        return new static(strrev($this->string));
    }

    /** @return false|int the place of the needle in any letter case */
    public function ipos(string $needle)
    {
        return stripos($this->string, $needle);
    }

    public function lower(): static
    {
        return new static(strtolower($this->string));
    }

    public function upper(): static
    {
        return new static(strtoupper($this->string));
    }

    /** @param string $characters to remove at both ends; empty: white space and null bytes */
    public function trim(string $characters = ''): static
    {
        return new static($characters === '' ? trim($this->string) : trim($this->string, $characters));
    }

    public function ltrim(): self
    {
        return new static(ltrim($this->string));
    }

    public function rtrim(): self
    {
        return new static(rtrim($this->string));
    }

    /** @return static */
    public function substr(int $offset, ?int $length = null)
    {
        return new static(substr($this->string, $offset, $length));
    }

    public function repeat(int $times): static
    {
        return new static(str_repeat($this->string, $times));
    }

    /** @param mixed $str a text, or what can be made one */
    public function append(mixed $str): static
    {
        return new static($this->string . (string) $str);
    }

    /** @param int|null $count of the replacements that were made */
    public function replace(string $search, string $replace, mixed &$count = null): static
    {
        return new static(str_replace($search, $replace, $this->string, $count));
    }

    public function startsWith(string $needle): bool
    {
        return str_starts_with($this->string, $needle);
    }

    public function endsWith(string $needle): bool
    {
        return str_ends_with($this->string, $needle);
    }

    /** Compares with a text or another object of this class; $strict: as === does, otherwise as == does. */
    public function equals(mixed $str, bool $strict = false): bool
    {
        if ($str instanceof self) {
            $str = $str->string;
        }
        return $strict ? $this->string === $str : $this->string == $str;
    }

    public function contains(string $subString): bool
    {
        return str_contains($this->string, $subString);
    }

    public function split(string $delimiter, int $limit = PHP_INT_MAX): ArrayObject
    {
        return static::detectArrayType(explode($delimiter, $this->string, $limit));
    }

    /** One character, empty when there is none at this place. */
    public function char(int $index): string
    {
        return $this->string[$index] ?? '';
    }

    public function chunkSplit(int $length = 76, string $separator = "\r\n"): static
    {
        return new static(chunk_split($this->string, $length, $separator));
    }

    /** Pieces of this length; the last one may be shorter. */
    public function chunk(int $length = 1): ArrayObject
    {
        return static::detectArrayType(str_split($this->string, $length));
    }

    public function toString(): string
    {
        return $this->string;
    }

    /** @param array<mixed> $value */
    protected static function detectArrayType(array $value): ArrayObject
    {
        return new ArrayObject($value);
    }
}
)~~~"},
};
// clang-format on

}  // namespace stampede::library
