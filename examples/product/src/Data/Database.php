<?php

declare(strict_types=1);

namespace Paddock\Data;

use Paddock\Settings;
use RuntimeException;
use Swoole\ConnectionPool;
use Swoole\Database\PDOProxy;

/** A worker's connections: many coroutines share a few, each has one for itself while it asks. */
final class Database
{
    private const CONNECTIONS = 8;
    private const PATIENCE = 5.0; // seconds

    private readonly ConnectionPool $pool;

    public function __construct(Settings $settings)
    {
        $this->pool = (new ConnectionPool($settings->connect(...), self::CONNECTIONS, PDOProxy::class))->setWaitLimit(self::PATIENCE);
    }

    /** @return list<array<string, mixed>> */
    public function rows(string $sql, int|string|null ...$values): array
    {
        return $this->with(static fn (Connection $connection): array => $connection->rows($sql, ...$values));
    }

    /** @return array<string, mixed>|null */
    public function row(string $sql, int|string|null ...$values): ?array
    {
        return $this->with(static fn (Connection $connection): ?array => $connection->row($sql, ...$values));
    }

    /** @return int how many rows it has changed */
    public function run(string $sql, int|string|null ...$values): int
    {
        return $this->with(static fn (Connection $connection): int => $connection->run($sql, ...$values));
    }

    /**
     * @template T
     * @param callable(Connection): T $work
     * @return T
     */
    public function transaction(callable $work): mixed
    {
        return $this->with(static fn (Connection $connection): mixed => $connection->transaction($work));
    }

    /**
     * @template T
     * @param callable(Connection): T $work
     * @return T
     */
    private function with(callable $work): mixed
    {
        $pdo = $this->pool->get();
        if (!$pdo instanceof PDOProxy) {
            throw new RuntimeException('No connection to the database came free in time.');
        }
        try {
            return $work(new Connection($pdo));
        } finally {
            $this->pool->put($pdo);
        }
    }
}
