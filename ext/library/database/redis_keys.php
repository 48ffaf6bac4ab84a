<?php

declare(strict_types=1);

namespace Stampede\Database;

/**
 * Commands of Redis on keys, strings and the server. Each gives what the server replies: true for OK, an integer, a string, a list, null for
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
        $list = [];
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
