<?php

declare(strict_types=1);

/*
 * What programs share that use one database connection from several coroutines: connections, and a query by each driver whose row can be checked.
 * $at is what the including script sets: the ports.
 */

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => $name, 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}

/** The class and the beginning of the message of what is thrown, or what is given. */
function after(callable $work): mixed
{
    try {
        return $work();
    } catch (Throwable $error) {
        return $error::class . ': ' . substr($error->getMessage(), 0, 60);
    }
}

function mysql_pdo(bool $emulated, bool $buffered = true): PDO
{
    global $at;
    return new PDO("mysql:host=127.0.0.1;port={$at['mysql']};dbname=test", 'root', '', [PDO::ATTR_EMULATE_PREPARES => $emulated,
        PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => $buffered]);
}

function pg_pdo(): PDO
{
    global $at;
    return new PDO("pgsql:host=127.0.0.1;port={$at['pg']};dbname=postgres;user=postgres");
}

function pg(): PgSql\Connection
{
    global $at;
    return pg_connect("host=127.0.0.1 port={$at['pg']} dbname=postgres user=postgres", PGSQL_CONNECT_FORCE_NEW) ?: throw new Exception('no connection');
}

function mysqli_link(): mysqli
{
    global $at;
    return new mysqli('127.0.0.1', 'root', '', 'test', $at['mysql']);
}

/**
 * How to connect, and how to ask for a number: gives the number and what must be kept of the statement.
 *
 * @return array<string, array{callable, callable}>
 */
function drivers(): array
{
    global $at;
    return [
        'pdo_mysql' => [static fn () => mysql_pdo(false), static fn (PDO $pdo, int $n) => pdo_row($pdo, 'SELECT ? + 0 AS n, SLEEP(0.001)', $n)],
        'pdo_mysql, emulated' => [static fn () => mysql_pdo(true), static fn (PDO $pdo, int $n) => pdo_row($pdo, 'SELECT ? + 0 AS n, SLEEP(0.001)', $n)],
        'pdo_pgsql' => [pg_pdo(...), static fn (PDO $pdo, int $n) => pdo_row($pdo, 'SELECT ?::int AS n, pg_sleep(0.001)', $n)],
        'pdo_pgsql, cursor' => [pg_pdo(...), static function (PDO $pdo, int $n): array {
            $pdo->beginTransaction();
            $statement = $pdo->prepare('SELECT ?::int UNION ALL SELECT 0', [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL]);
            $statement->execute([$n]);
            $row = (int) $statement->fetchColumn();
            $pdo->commit();
            return [$row, $statement];
        }],
        'mysqli' => [mysqli_link(...), static function (mysqli $link, int $n): array {
            $statement = $link->prepare('SELECT ? + 0 AS n, SLEEP(0.001)');
            $statement->bind_param('i', $n);
            $statement->execute();
            $result = $statement->get_result();
            return [(int) $result->fetch_assoc()['n'], [$statement, $result]];
        }],
        'pgsql' => [pg(...), static function (PgSql\Connection $link, int $n): array {
            static $prepared = new WeakMap();
            if (!isset($prepared[$link])) {
                $prepared[$link] = true;
                pg_prepare($link, 'one', 'SELECT $1::int AS n, pg_sleep(0.001)');
            }
            pg_send_execute($link, 'one', [$n]);
            $result = pg_get_result($link);
            return [(int) pg_fetch_assoc($result)['n'], $result];
        }],
        'odbc' => [static fn () => new PDO("odbc:Driver=MariaDB Unicode;Server=127.0.0.1;Port={$at['mysql']};Database=test;User=root"), static fn (PDO $pdo, int $n) => pdo_row($pdo, 'SELECT ? + 0 AS n, SLEEP(0.001)', $n)],
        'phpredis' => [static function () use ($at): Redis {
            $redis = new Redis();
            $redis->connect('127.0.0.1', $at['redis']);
            return $redis;
        }, static fn (Redis $redis, int $n): array => [(int) $redis->multi()->set("s$n", $n)->get("s$n")->exec()[1], $redis->getLastError()]],
        'Coroutine\MySQL' => [static function () use ($at): Swoole\Coroutine\MySQL {
            $client = new Swoole\Coroutine\MySQL();
            $client->connect(['host' => '127.0.0.1', 'port' => $at['mysql'], 'user' => 'root', 'password' => '', 'database' => 'test']);
            return $client;
        }, static function (Swoole\Coroutine\MySQL $client, int $n): array {
            $statement = $client->prepare('SELECT ? + 0 AS n, SLEEP(0.001)');
            return [(int) $statement->execute([$n])[0]['n'], $statement];
        }],
        'Coroutine\PostgreSQL' => [static function () use ($at): Swoole\Coroutine\PostgreSQL {
            $client = new Swoole\Coroutine\PostgreSQL();
            $client->connect("host=127.0.0.1 port={$at['pg']} dbname=postgres user=postgres");
            return $client;
        }, static function (Swoole\Coroutine\PostgreSQL $client, int $n): array {
            $statement = $client->prepare('SELECT $1::int AS n, pg_sleep(0.001)');
            $statement->execute([$n]);
            return [(int) $statement->fetchAssoc()['n'], $statement];
        }],
    ];
}

/** @return array{int, PDOStatement} */
function pdo_row(PDO $pdo, string $query, int $n): array
{
    $statement = $pdo->prepare($query);
    $statement->execute([$n]);
    return [(int) $statement->fetchColumn(), $statement];
}
