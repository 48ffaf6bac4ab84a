<?php

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
