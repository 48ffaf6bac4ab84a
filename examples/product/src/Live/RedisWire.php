<?php

declare(strict_types=1);

namespace Paddock\Live;

use Closure;
use Paddock\Data\Redis;
use RedisException;
use Swoole\Coroutine;

/** All servers that use the same Redis. */
final readonly class RedisWire implements Wire
{
    private const CHANNEL = 'paddock:live';
    private const PAUSE = 1.0; // seconds

    public function __construct(private Redis $redis) {}

    public function send(string $message): void
    {
        $this->redis->with(static fn (\Redis $redis): mixed => $redis->publish(self::CHANNEL, $message));
    }

    public function listen(Closure $receive, Closure $began): void
    {
        Coroutine::create(function () use ($receive, $began): void {
            while (!Coroutine::isCanceled()) {
                try {
                    $this->redis->listen(self::CHANNEL, $receive, $began);
                } catch (RedisException $failure) {
                    error_log("Redis, by which live updates come, is not there: {$failure->getMessage()}.");
                }
                Coroutine::sleep(self::PAUSE);
            }
        });
    }
}
