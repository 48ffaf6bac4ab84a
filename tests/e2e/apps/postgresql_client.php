<?php

declare(strict_types=1);

/* The checks of database_clients_test.php on Swoole\Coroutine\PostgreSQL. A check is a line of JSON. */

use Swoole\Coroutine;
use Swoole\Coroutine\PostgreSQL;
use Swoole\Coroutine\WaitGroup;
use Swoole\Runtime;

/** @var array{pg: int} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => "PostgreSQL client: $name", 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION), "\n";
}

#[AllowDynamicProperties]
final class Thing
{
    public mixed $id = null;
    public mixed $name = null;

    public function __construct(public string $given = '')
    {
    }
}

$where = "host=127.0.0.1 port=$at[pg] user=postgres dbname=postgres";

Coroutine\run(static function () use ($where): void {
    Runtime::setHookFlags(0);
    $pg = new PostgreSQL();
    check('before connect', [false, 107], [$pg->query('SELECT 1'), $pg->errCode]);
    check('connect', [true, null, 0], [$pg->connect($where), $pg->error, $pg->errCode]);
    $refused = new PostgreSQL();
    check('refused', [false, true], [$refused->connect('host=127.0.0.1 port=1 user=postgres'), str_contains((string) $refused->error, 'Connection refused')]);
    check('no such database', [false, true], [$refused->connect(str_replace('dbname=postgres', 'dbname=none', $where)), str_contains((string) $refused->error, 'database "none" does not exist')]);

    check('CREATE', true, $pg->query('CREATE TABLE IF NOT EXISTS things (id SERIAL PRIMARY KEY, name VARCHAR(50), price NUMERIC(6,2), weight DOUBLE PRECISION, ok BOOLEAN)') instanceof Coroutine\PostgreSQLStatement);
    $pg->query('TRUNCATE things RESTART IDENTITY');
    $insert = $pg->query("INSERT INTO things (name, price, weight, ok) VALUES ('a', 1.50, 0.5, true), ('b', NULL, 2, false) RETURNING id");
    check('INSERT', [2, 2, 1, ['id' => 1], ['id' => 2], false], [$insert->affectedRows(), $insert->numRows(), $insert->fieldCount(), $insert->fetchAssoc(), $insert->fetchAssoc(), $insert->fetchAssoc()]);
    $all = $pg->query('SELECT * FROM things ORDER BY id');
    $rows = [['id' => 1, 'name' => 'a', 'price' => '1.50', 'weight' => 0.5, 'ok' => true], ['id' => 2, 'name' => 'b', 'price' => null, 'weight' => 2.0, 'ok' => false]];
    check('SELECT', $rows, $all->fetchAll());
    check('rows by number', [$rows[1], array_values($rows[0]), [0 => 1, 'id' => 1]], [$all->fetchAssoc(1), $all->fetchRow(0), array_slice($all->fetchArray(0), 0, 2, true)]);
    $thing = $all->fetchObject(1, Thing::class, ['given']);
    check('objects', [['id' => 1, 'name' => 'a'], true, 'b', 'given'], [array_slice((array) $all->fetchObject(0), 0, 2), $thing instanceof Thing, $thing->name ?? null, $thing->given ?? null]);
    check('no rows', [[], 0], [$pg->query('SELECT * FROM things WHERE id > 100')->fetchAll(), $pg->query('SELECT 1 WHERE false')->numRows()]);
    check('an error', [false, true, PGSQL_FATAL_ERROR, '42601', 'ERROR'], [$pg->query('SELEC 1'), str_contains((string) $pg->error, 'syntax error'), $pg->resultStatus, $pg->resultDiag['sqlstate'] ?? null, $pg->resultDiag['severity'] ?? null]);
    check('and the query behind it', [[['n' => 1]], null, null, 0], [$pg->query('SELECT 1 AS n')->fetchAll(), $pg->error, $pg->resultDiag, $pg->errCode]);
    $pg->query("DO \$\$ BEGIN RAISE NOTICE 'take note'; END \$\$");
    check('notices', [['severity' => 'NOTICE', 'message_primary' => 'take note']], $pg->notices);

    $statement = $pg->prepare('SELECT $1::int AS i, $2::text AS t, $3::bool AS b, $4::text AS n');
    check('prepared', [true, [['i' => 7, 't' => 'x', 'b' => false, 'n' => null]], true, [8, 'y', true, null]], [$statement->execute([7, 'x', false, null]), $statement->fetchAll(), $statement->execute([8, 'y', true, null]), $statement->fetchRow()]);
    check('a bad one', [false, '42601'], [$pg->prepare('SELEC $1'), $pg->resultDiag['sqlstate'] ?? null]);
    check('execution that fails', [false, '22P02', '22P02'], [$statement->execute(['x', '', true, null]), $statement->resultDiag['sqlstate'] ?? null, $pg->resultDiag['sqlstate'] ?? null]);
    $count = static fn (): int => $pg->query('SELECT COUNT(*) AS n FROM pg_prepared_statements')->fetchAssoc()['n'];
    $before = $count();
    unset($statement);
    check('freed on the server with its object', $before - 1, $count());
    check('by name, as older code does', [true, [['n' => 5]], [5]], [(bool) $pg->prepare('five', 'SELECT $1::int AS n'), $pg->fetchAll($result = $pg->execute('five', [5])), $pg->fetchRow($result, 0)]);

    $pg->query('BEGIN');
    $pg->query("INSERT INTO things (name) VALUES ('gone')");
    $pg->query('ROLLBACK');
    check('a transaction', 2, $pg->query('SELECT COUNT(*) AS n FROM things')->fetchAssoc()['n']);
    check('escape', ["it''s", "'it''s'", '"a ""b"'], [$pg->escape("it's"), $pg->escapeLiteral("it's"), $pg->escapeIdentifier('a "b')]);
    check('metaData', ['id', 'name', 'price', 'weight', 'ok'], array_keys($pg->metaData('things') ?: []));
    check('of no table', false, $pg->metaData('nothing'));
    $pg->query('BEGIN');
    $oid = $pg->createLOB();
    $stream = $pg->openLOB($oid, 'wb');
    fwrite($stream, str_repeat('0123456789', 3000));
    fclose($stream);
    $stream = $pg->openLOB($oid);
    check('large objects', [true, 30000, '56789'], [$oid > 0, strlen((string) stream_get_contents($stream)), fseek($stream, 5) === 0 ? fread($stream, 5) : '']);
    fclose($stream);
    $pg->query('COMMIT');
    check('a large result', 20_000_000, strlen($pg->query("SELECT repeat('x', 20000000) AS x")->fetchAssoc()['x']));
    check('a large query', 300_000, $pg->query("SELECT length('" . str_repeat('y', 300_000) . "') AS n")->fetchAssoc()['n']);

    $killed = new PostgreSQL();
    $killed->connect($where);
    $pid = $killed->query('SELECT pg_backend_pid() AS pid')->fetchAssoc()['pid'];
    Coroutine::create(static function () use ($pg, $pid): void {
        while ($pg->query("SELECT 1 FROM pg_stat_activity WHERE pid = $pid AND wait_event = 'PgSleep'")->numRows() === 0) {
            Coroutine::sleep(0.01);
        }
        $pg->query("SELECT pg_terminate_backend($pid)");
    });
    check('killed under way', [false, '57P01'], [$killed->query('SELECT pg_sleep(20)'), $killed->resultDiag['sqlstate'] ?? null]);
    check('and gone', [false, 107], [$killed->query('SELECT 1'), $killed->errCode]);
    check('connected again', [true, 1], [$killed->connect($where), ($result = $killed->query('SELECT 1')) ? $result->numRows() : $killed->error]);

    $hole = stream_socket_server('tcp://127.0.0.1:0');
    $silent = new PostgreSQL();
    $start = microtime(true);
    check('a server that says nothing', [false, 110], [$silent->connect('user=postgres host=127.0.0.1 port=' . explode(':', (string) stream_socket_get_name($hole, false))[1], 0.1), $silent->errCode]);
    check('in time', true, microtime(true) - $start < 10);

    $given = (static function () use ($where): PostgreSQL {
        $pg = new PostgreSQL();
        $pg->connect($where);
        return $pg;
    })();
    $cid = Coroutine::create(static function () use ($given, &$outcome): void {
        try {
            $outcome = $given->query('SELECT pg_sleep(3)');
        } catch (Throwable $error) {
            $outcome = $error::class;
        }
    });
    Coroutine::cancel($cid, true);
    check('cancelled with an exception', [Coroutine\CanceledException::class, 107], [$outcome, ($given->query('SELECT 1') ?: $given->errCode)]);
    $late = (static function () use ($where): PostgreSQL {
        $pg = new PostgreSQL();
        $pg->connect($where);
        return $pg;
    })();
    Coroutine::join([Coroutine::create(static function () use ($late, &$outcome): void {
        Coroutine::setTimeLimit(0.1);
        try {
            $outcome = $late->query('SELECT pg_sleep(3)');
        } catch (Throwable $error) {
            $outcome = $error::class;
        }
    })], 20);
    check('a time limit of the coroutine', [Coroutine\TimeoutException::class, 107], [$outcome, ($late->query('SELECT 1') ?: $late->errCode)]);
    $shared = new PostgreSQL();
    $shared->connect($where);
    $said = '';
    $cid = Coroutine::create(static fn () => $shared->query('SELECT pg_sleep(0.2)'));
    try {
        $shared->query('SELECT 1');
    } catch (Swoole\Error $error) {
        $said = $error->getMessage();
    }
    $named = preg_match("~bound to another coroutine#$cid, which is waiting for a reply in .+postgresql_client\.php:\d+; .+ at the same time, in .+postgresql_client\.php:\d+~", $said);
    check('two at once are told, with both places', 1, $named ?: $said);

    $group = new WaitGroup();
    $start = microtime(true);
    $sum = 0;
    for ($i = 0; $i < 200; $i++) {
        $group->add();
        Coroutine::create(static function () use ($where, $group, $i, &$sum): void {
            $pg = new PostgreSQL();
            $pg->connect($where, 20);
            $statement = $pg->prepare('SELECT pg_sleep(0.2), $1::int AS n');
            $statement->execute([$i]);
            $sum += $statement->fetchAssoc()['n'];
            $group->done();
        });
    }
    $group->wait();
    check('200 at once', array_sum(range(0, 199)), $sum);
    check('they overlap', true, microtime(true) - $start < 20 ?: microtime(true) - $start);
});
