<?php

declare(strict_types=1);

/*
 * The checks of statements_test.php about connections that a script makes before its first coroutine: statements, results, cursors and closes behave
 * as on a later connection. A check is a line of JSON. usage: earlier_connections.php PORTS
 */

use Swoole\Coroutine;
use Swoole\Coroutine\WaitGroup;

use function Swoole\Coroutine\run;

/** @var array{mysql: int, pg: int, redis: int} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
const ROUNDS = 20;

require __DIR__ . '/database_users.php';

function mysqli_cursor(mysqli $link): mysqli_stmt
{
    $statement = $link->prepare('SELECT seq FROM seq_1_to_50');
    $statement->attr_set(MYSQLI_STMT_ATTR_CURSOR_TYPE, MYSQLI_CURSOR_TYPE_READ_ONLY);
    $statement->execute();
    return $statement;
}

/** What a coroutine may leave behind on a connection that is free: by name, the driver, how to make it, and how to use it once more. */
$left = [
    'mysqli, a statement' => ['mysqli', static fn (mysqli $link): mysqli_stmt => $link->prepare('SELECT 1')],
    'mysqli, a statement that has run' => ['mysqli', static function (mysqli $link): mysqli_stmt {
        $statement = $link->prepare('SELECT 1');
        $statement->execute();
        $statement->get_result()->fetch_all();
        return $statement;
    }],
    'mysqli, a result' => ['mysqli', static fn (mysqli $link): mysqli_result => $link->query('SELECT 1')],
    'mysqli, a result that was read row by row' => ['mysqli', static function (mysqli $link): mysqli_result {
        $result = $link->query('SELECT seq FROM seq_1_to_5', MYSQLI_USE_RESULT);
        while ($result->fetch_row());
        return $result;
    }],
    'mysqli, a cursor' => ['mysqli', mysqli_cursor(...)],
    'mysqli, a cursor that was read from' => ['mysqli', static function (mysqli $link): mysqli_stmt {
        $statement = mysqli_cursor($link);
        $number = 0;
        $statement->bind_result($number);
        $statement->fetch();
        return $statement;
    }],
    'pdo_mysql, a statement' => ['pdo_mysql', static fn (PDO $pdo): PDOStatement => $pdo->prepare('SELECT 1')],
    'pdo_mysql, a statement that has run' => ['pdo_mysql', static fn (PDO $pdo): PDOStatement => pdo_row($pdo, 'SELECT ?', 1)[1]],
    'pdo_mysql, emulated' => ['pdo_mysql, emulated', static fn (PDO $pdo): PDOStatement => pdo_row($pdo, 'SELECT ?', 1)[1]],
    'pdo_pgsql, a statement' => ['pdo_pgsql', static fn (PDO $pdo): PDOStatement => pdo_row($pdo, 'SELECT ?::int', 1)[1]],
    'pdo_pgsql, a cursor' => ['pdo_pgsql', static function (PDO $pdo): PDOStatement {
        $pdo->beginTransaction();
        $statement = $pdo->prepare('SELECT 1 UNION ALL SELECT 2', [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL]);
        $statement->execute();
        return $statement;
    }],
    'pdo_pgsql, a large object' => ['pdo_pgsql', static function (PDO $pdo) {
        $pdo->inTransaction() || $pdo->beginTransaction();
        return $pdo->pgsqlLOBOpen($pdo->pgsqlLOBCreate(), 'w');
    }],
    'pgsql, a result' => ['pgsql', static fn (PgSql\Connection $link): PgSql\Result => pg_query($link, 'SELECT 1')],
    'pgsql, a large object' => ['pgsql', static function (PgSql\Connection $link): PgSql\Lob {
        pg_query($link, 'BEGIN');
        return pg_lo_open($link, pg_lo_create($link), 'w');
    }],
    'odbc, a statement' => ['odbc', static fn (PDO $pdo): PDOStatement => pdo_row($pdo, 'SELECT ?', 1)[1]],
];

mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$connections = $objects = [];
foreach ($left as $name => [$driver, $make]) {
    $connections[$name] = drivers()[$driver][0]();
    $objects[$name] = $make($connections[$name]);
}
$shared = array_map(static fn (array $driver): object => $driver[0](), array_filter(drivers(), static fn (string $name): bool => !str_starts_with($name, 'Coroutine'), ARRAY_FILTER_USE_KEY));

run(static function () use ($left, $connections, &$objects, $shared): void {
    foreach ($left as $name => [$driver, $make]) {
        $connection = $connections[$name];
        $ask = match ($driver) {
            'pdo_pgsql' => static fn (PDO $pdo, int $n): array => pdo_row($pdo, 'SELECT ?::int AS n, pg_sleep(0.001)', $n),
            default => drivers()[$driver][1],
        };
        $heard = [];
        for ($round = 0; $round < ROUNDS; $round++) {
            $made = $objects[$name] ?? after(static fn (): mixed => $make($connection));
            unset($objects[$name]);
            $row = null;
            $user = Coroutine::create(static function () use ($connection, $ask, $round, &$row): void {
                if ($round % 2 === 1) { // it waits for its rows, and otherwise for its statement
                    Coroutine::sleep(0.001);
                }
                $row = after(static fn (): int => $ask($connection, 8)[0]);
            });
            if ($round % 2 === 1) {
                Coroutine::sleep(0.002);
            }
            $end = after(static function () use (&$made): string {
                $made = null;
                return 'ended';
            });
            Coroutine::join([$user]);
            $heard[json_encode([$end, $row, after(static fn (): int => $ask($connection, 9)[0])])] = true;
            if ($connection instanceof PDO && $connection->inTransaction()) {
                after(static fn (): bool => $connection->commit());
            } elseif ($connection instanceof PgSql\Connection) {
                pg_query($connection, 'COMMIT');
            }
        }
        check("$name ends while another coroutine asks", ['["ended",8,9]'], array_keys($heard));
    }
    // Lent to one coroutine after another, while what the earlier ones have made ends later.
    foreach ($shared as $name => $connection) {
        [, $ask] = drivers()[$name];
        $turn = new Coroutine\Channel(1);
        $turn->push($connection);
        $good = 0;
        $errors = [];
        $group = new WaitGroup(50);
        for ($i = 0; $i < 50; $i++) {
            Coroutine::create(static function () use ($i, $turn, $ask, $group, &$good, &$errors): void {
                for ($n = 0; $n < 5; $n++) {
                    $mine = $turn->pop(20);
                    try {
                        [$row, $kept] = $ask($mine, 10 * $i + $n);
                        $good += $row === 10 * $i + $n ? 1 : 0;
                    } catch (Throwable $error) {
                        $errors[$error->getMessage()] = true;
                    }
                    $turn->push($mine);
                    unset($mine);
                }
                $group->done();
            });
        }
        $group->wait(60);
        check("$name: an earlier connection serves 50 coroutines in turn", [250, []], [$good, array_keys($errors)]);
    }
});
