<?php

declare(strict_types=1);

use Swoole\Database\PDOProxy;

/** Lends connections to the database: a persistent one of this process, or in coroutines one of a pool. */
final class Connections
{
    /**
     * @param Closure(): (PDO|PDOProxy) $take
     * @param Closure(PDO|PDOProxy): void $give
     */
    private function __construct(private readonly Closure $take, private readonly Closure $give)
    {
    }

    public static function forThisServer(): self
    {
        $port = (int) getenv('BENCH_DATABASE');
        if (class_exists('Swoole\Coroutine', false)) {
            $config = (new Swoole\Database\PDOConfig())->withHost('127.0.0.1')->withPort($port)->withDbname('bench')->withUsername('root')->withPassword('')->withOptions(self::options());
            $pool = new Swoole\Database\PDOPool($config, 24);
            return new self($pool->get(...), $pool->put(...));
        }
        $connection = null;
        $take = static function () use (&$connection, $port): PDO {
            return $connection ??= new PDO("mysql:host=127.0.0.1;port=$port;dbname=bench;charset=utf8mb4", 'root', '', [PDO::ATTR_PERSISTENT => true] + self::options());
        };
        return new self($take, static function (): void {
        });
    }

    /**
     * @template T
     * @param Closure(PDO|PDOProxy): T $work
     * @return T
     */
    public function lend(Closure $work): mixed
    {
        $connection = ($this->take)();
        try {
            return $work($connection);
        } finally {
            ($this->give)($connection);
        }
    }

    /** @return array<int, mixed> */
    private static function options(): array
    {
        return [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_EMULATE_PREPARES => true, PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC];
    }
}
