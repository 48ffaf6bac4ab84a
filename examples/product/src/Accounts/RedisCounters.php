<?php

declare(strict_types=1);

namespace Paddock\Accounts;

use Paddock\Data\Redis;

final readonly class RedisCounters implements Counters
{
    private const PREFIX = 'paddock:counter:';

    public function __construct(private Redis $redis) {}

    public function hit(string $what, int $seconds): int
    {
        $key = self::PREFIX . hash('sha256', $what);
        [, $hits] = $this->redis->with(static fn (\Redis $redis): array => (array) $redis->multi()->set($key, 0, ['nx', 'ex' => $seconds])->incr($key)->exec());
        return (int) $hits;
    }

    public function clear(string $what): void
    {
        $this->redis->with(static fn (\Redis $redis): mixed => $redis->del(self::PREFIX . hash('sha256', $what)));
    }
}
