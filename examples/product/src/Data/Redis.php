<?php

declare(strict_types=1);

namespace Paddock\Data;

use Closure;
use RuntimeException;
use Swoole\Database\RedisConfig;
use Swoole\Database\RedisPool;

/** A worker's connections to Redis: a few for commands, and one of its own for who listens. */
final readonly class Redis
{
    private const CONNECTIONS = 8;
    private const PATIENCE = 2.0; // seconds

    private RedisConfig $at;
    private RedisPool $pool;

    /** @param string $address host:port */
    public function __construct(string $address)
    {
        if (!extension_loaded('redis')) {
            throw new RuntimeException("DATABASE_URL needs PHP's extension redis for live updates, which is not loaded.");
        }
        if (preg_match('/^([^:]+):(\d+)$/', $address, $found) !== 1) {
            throw new RuntimeException("The parameter redis of DATABASE_URL must be HOST:PORT, not {$address}.");
        }
        $this->at = (new RedisConfig())->withHost($found[1])->withPort((int) $found[2])->withTimeout(self::PATIENCE);
        $this->pool = new RedisPool($this->at, self::CONNECTIONS);
        $this->pool->setWaitLimit(self::PATIENCE);
    }

    /**
     * @template T
     * @param Closure(\Redis): T $work
     * @return T
     */
    public function with(Closure $work): mixed
    {
        $redis = $this->pool->get();
        if (!$redis instanceof \Redis) {
            throw new RuntimeException('No connection to Redis came free in time.');
        }
        try {
            return $work($redis);
        } finally {
            $this->pool->put($redis);
        }
    }

    /** Returns, or throws, when the connection is lost. @param Closure(string): void $receive */
    public function listen(string $channel, Closure $receive): void
    {
        $redis = new \Redis();
        $redis->connect($this->at->getHost(), $this->at->getPort(), self::PATIENCE);
        $redis->setOption(\Redis::OPT_READ_TIMEOUT, -1);
        $redis->subscribe([$channel], static function (\Redis $redis, string $channel, string $message) use ($receive): void {
            $receive($message);
        });
    }
}
