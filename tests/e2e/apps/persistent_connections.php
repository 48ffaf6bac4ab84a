<?php

declare(strict_types=1);

/*
 * The checks of statements_test.php about connections that PHP itself keeps and gives to whoever asks with the same words: coroutines that ask at
 * once have one each, and those that ask later get one that is there. A check is a line of JSON. usage: persistent_connections.php PORTS
 */

use Swoole\Coroutine;

use function Swoole\Coroutine\run;

/** @var array{mysql: int, pg: int, redis: int} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
const AT_ONCE = 10;

require __DIR__ . '/database_users.php';

/** @param mixed $persistent what PDO::ATTR_PERSISTENT is */
function kept_pdo(string $words, mixed $persistent = true): Closure
{
    return static fn (): PDO => new PDO($words, null, null, [PDO::ATTR_PERSISTENT => $persistent, PDO::ATTR_EMULATE_PREPARES => false]);
}

/** Who the connection is on the server, and the number that was asked for. @return array{string, int} */
function pdo_number(PDO $pdo, int $n, string $query): array
{
    $statement = $pdo->prepare($query);
    $statement->execute([$n]);
    return array_values($statement->fetch(PDO::FETCH_NUM));
}

$mysql = "mysql:host=127.0.0.1;port={$at['mysql']};dbname=test;user=root";
$ask_mysql = static fn (PDO $pdo, int $n): array => pdo_number($pdo, $n, 'SELECT CONNECTION_ID(), ? + 0, SLEEP(0.005)');
$postgres = "host=127.0.0.1 port={$at['pg']} dbname=postgres user=postgres";
$ask_postgres = static fn (PgSql\Connection $link, int $n): array => pg_fetch_row(pg_query_params($link, 'SELECT pg_backend_pid(), $1::int, pg_sleep(0.005)', [$n]));
$kinds = [
    'pdo_mysql' => [kept_pdo($mysql), $ask_mysql],
    'pdo_mysql, named' => [kept_pdo($mysql, 'reports'), $ask_mysql],
    'pdo_pgsql' => [kept_pdo("pgsql:host=127.0.0.1;port={$at['pg']};dbname=postgres;user=postgres"), static fn (PDO $pdo, int $n): array => pdo_number($pdo, $n, 'SELECT pg_backend_pid(), ?::int, pg_sleep(0.005)')],
    'pdo_odbc' => [kept_pdo("odbc:Driver=MariaDB Unicode;Server=127.0.0.1;Port={$at['mysql']};Database=test;User=root"), $ask_mysql],
    'mysqli' => [static fn (): mysqli => new mysqli('p:127.0.0.1', 'root', '', 'test', $at['mysql']), static fn (mysqli $link, int $n): array => $link->query("SELECT CONNECTION_ID(), $n, SLEEP(0.005)")->fetch_row()],
    'pg_connect()' => [static fn () => pg_connect($postgres), $ask_postgres],
    'pg_connect() with flags' => [static fn () => pg_connect($postgres, 0), $ask_postgres],
    'pg_pconnect()' => [static fn () => pg_pconnect($postgres), $ask_postgres],
    'phpredis' => [static function () use ($at): Redis {
        $redis = new Redis();
        $redis->pconnect('127.0.0.1', $at['redis']);
        return $redis;
    }, static fn (Redis $redis, int $n): array => [(string) $redis->client('id'), (int) $redis->eval('return ARGV[1]', [(string) $n])]],
];
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$first = array_map(static fn (array $kind): object => $kind[0](), $kinds);

run(static function () use ($kinds, &$first): void {
    foreach ($kinds as $name => [$connect, $ask]) {
        $own = $ask($first[$name], 1)[0];
        unset($first[$name]);
        $seen = $errors = [];
        $good = 0;
        for ($wave = 0; $wave < 3; $wave++) {
            $users = [];
            for ($i = 0; $i < AT_ONCE; $i++) {
                $users[] = Coroutine::create(static function () use ($i, $connect, $ask, &$seen, &$errors, &$good): void {
                    try {
                        $connection = $connect();
                        $mine = null;
                        for ($n = 10 * $i; $n < 10 * $i + 5; $n++) {
                            [$id, $number] = $ask($connection, $n);
                            $good += (int) $number === $n && ($mine ?? $id) === $id ? 1 : 0;
                            $seen[$mine = $id] = true;
                        }
                    } catch (Throwable $error) {
                        $errors[$error->getMessage()] = true;
                    }
                });
            }
            Coroutine::join($users);
        }
        check("$name: coroutines that connect at once have a connection each", [3 * AT_ONCE * 5, []], [$good, array_keys($errors)]);
        if (str_starts_with($name, 'pdo') || $name === 'mysqli') {
            check("$name: later ones use the connections that are there, that of the top level, too", [true, true], [count($seen) <= AT_ONCE, isset($seen[$own])]);
        }
    }
});
