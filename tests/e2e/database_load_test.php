<?php

declare(strict_types=1);

/*
 * Plain servers with four workers and a database, asked by 100 clients at once: no request fails, and no worker ends. SECONDS_EACH in the environment: how long
 * each driver is asked.
 */

namespace Stampede\Tests\E2e;

use PHPUnit\Framework\Attributes\TestWith;

final class database_load_test extends EndToEndTest
{
    private const CLIENTS = 100;
    private const ALL_HOOKS = 2143287295;

    /** @var array{mysql: int, pg: int, redis: int} */
    private static array $at;
    /** @var list<Database> */
    private static array $databases;

    public static function setUpBeforeClass(): void
    {
        self::$databases = [$mysql, $pg, $redis] = [Database::mariadb(['--max-connections=1000']), Database::postgres(['max_connections=500']), Database::redis()];
        self::$at = ['mysql' => $mysql->port, 'pg' => $pg->port, 'redis' => $redis->port];
    }

    #[TestWith(['mysqli'], 'mysqli')]
    #[TestWith(['pdo_mysql'], 'pdo_mysql')]
    #[TestWith(['pdo_mysql, kept'], 'pdo_mysql, kept')]
    #[TestWith(['pdo_pgsql'], 'pdo_pgsql')]
    #[TestWith(['pdo_pgsql, cursor'], 'pdo_pgsql, cursor')]
    #[TestWith(['pgsql'], 'pgsql')]
    #[TestWith(['odbc'], 'odbc')]
    #[TestWith(['mysqli, asynchronous'], 'mysqli, asynchronous')]
    #[TestWith(['pgsql, asynchronous'], 'pgsql, asynchronous')]
    #[TestWith(['pgsql, copy'], 'pgsql, copy')]
    #[TestWith(['pfsockopen'], 'pfsockopen')]
    #[TestWith(['phpredis'], 'phpredis')]
    #[TestWith(['pdo_sqlite'], 'pdo_sqlite')]
    #[TestWith(['Coroutine\MySQL'], 'Coroutine\MySQL')]
    #[TestWith(['Coroutine\PostgreSQL'], 'Coroutine\PostgreSQL')]
    public function testDriver(string $driver): void
    {
        $file = External::folder();
        $server = new Server('database_load', ['worker_num' => 4, 'hook_flags' => str_starts_with($driver, 'Coroutine') ? 0 : self::ALL_HOOKS,
            '_at' => self::$at, '_driver' => $driver, '_file' => "$file/data"], extensions: ['pdo', 'mysqlnd', 'mysqli', 'pdo_mysql', 'pgsql', 'pdo_pgsql', 'pdo_odbc', 'igbinary', 'redis', 'pdo_sqlite']);
        $load = (new Load($server->address(), self::CLIENTS))->runFor((float) (getenv('SECONDS_EACH') ?: 1.5));
        $server->stop();
        exec('rm -rf ' . escapeshellarg($file));
        $this->check("$driver: every request has its own row", $load->failures() === 0 && array_keys($load->statuses) === [200] && $load->answered > self::CLIENTS,
            $load->summary());
        $this->check("$driver: nothing went wrong in the workers", !str_contains($server->output(), 'signal') && !str_contains($server->output(), 'Warning'), substr($server->output(), 0, 2000));
    }
}
