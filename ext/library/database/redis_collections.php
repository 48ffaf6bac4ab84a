<?php

declare(strict_types=1);

namespace Stampede\Database;

/**
 * Commands of Redis on hashes, lists, sets, sorted sets and streams. Each gives what the server replies: true for OK, an integer, a string, a list, null for
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
        return $this->request(['BZPOPMIN', $key, ...$timeout_or_keys]);
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
