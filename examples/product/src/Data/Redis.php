<?php

declare(strict_types=1);

namespace Paddock\Data;

use Closure;
use RuntimeException;
use Swoole\Atomic;
use Swoole\Coroutine;
use Swoole\Database\RedisConfig;
use Swoole\Database\RedisPool;
use Throwable;

/** A worker's connections to Redis: a few for commands, and one of its own for who listens. */
final readonly class Redis
{
    private const CONNECTIONS = 8;
    private const PATIENCE = 2.0; // seconds
    private const KNOCK = 0.02;

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

    /**
     * Returns, or throws, when the connection is lost.
     *
     * @param Closure(string): void $receive
     * @param Closure(): void $began what is published from now on is received
     */
    public function listen(string $channel, Closure $receive, Closure $began): void
    {
        $own = "{$channel}:" . bin2hex(random_bytes(8));
        $redis = new \Redis();
        $redis->connect($this->at->getHost(), $this->at->getPort(), self::PATIENCE);
        $redis->setOption(\Redis::OPT_READ_TIMEOUT, -1);
        // The driver does not tell when a subscription has begun: a message of this listener's own does, when it comes back.
        $knocks = new Atomic(1);
        Coroutine::create(function () use ($knocks, $own): void {
            for ($end = microtime(true) + self::PATIENCE; $knocks->get() === 1 && microtime(true) < $end;) {
                try {
                    $this->with(static fn (\Redis $redis): mixed => $redis->publish($own, ''));
                } catch (Throwable) {
                    // What is wrong with Redis, the listener says.
                }
                Coroutine::sleep(self::KNOCK);
            }
        });
        try {
            $redis->subscribe([$channel, $own], static function (\Redis $redis, string $at, string $message) use ($knocks, $own, $receive, $began): void {
                if ($at !== $own) {
                    $receive($message);
                } elseif ($knocks->cmpset(1, 0)) {
                    $began();
                }
            });
        } finally {
            $knocks->set(0);
        }
    }
}
