<?php

declare(strict_types=1);

/*
 * The checks of statements_test.php about connections that a coroutine leaves in a state of their own, that the server ends, and that are wanted
 * between two results of a call. A check is a line of JSON. usage: lost_connections.php PORTS PART
 */

use Swoole\ConnectionPool;
use Swoole\Coroutine;
use Swoole\Coroutine\WaitGroup;

use function Swoole\Coroutine\run;

/** @var array{mysql: int, pg: int, redis: int} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
const COROUTINES = 200;

require __DIR__ . '/database_users.php';

/** Runs the work in a coroutine of its own and waits for it. */
function elsewhere(callable $work): mixed
{
    $result = null;
    Coroutine::join([Coroutine::create(static function () use ($work, &$result): void {
        $result = after($work);
    })]);
    return $result;
}

function redis(): Redis
{
    global $at;
    $redis = new Redis();
    $redis->connect('127.0.0.1', $at['redis']);
    return $redis;
}

/** What is told of a response of phpredis: inside of a transaction every command gives the client itself. */
function told(mixed $response): mixed
{
    return $response instanceof Redis ? 'the client' : $response;
}

/*
 * A transaction or a pipeline belongs to the connection. The next user of the connection is in it, as in a script without coroutines; a pool that
 * lends such connections looks at getMode().
 */

/** @param callable(callable(): mixed): mixed $one runs one user's work @return list<mixed> */
function left_open(string $way, callable $one): array
{
    $redis = redis();
    $redis->set('seen', 'by all');
    return [
        $one(static fn (): array => [told($redis->$way()), told($redis->set('left', 'open'))]),
        $one(static fn (): array => [$redis->getMode(), told($redis->get('seen'))]),
        $one(static fn (): mixed => $redis->exec()),
        $one(static fn (): array => [$redis->getMode(), $redis->get('seen'), $redis->get('left')]),
        $one(static fn (): array => [told($redis->$way()), told($redis->set('left', 'again')), $redis->discard(), $redis->getMode(), $redis->get('seen')]),
    ];
}

$parts['left_open'] = static function (array $outside): void {
    foreach ($outside as $way => $expected) {
        check("phpredis, $way: it can be told that it is open", true, $expected[1] !== [Redis::ATOMIC, 'by all'] && $expected[3] === [Redis::ATOMIC, 'by all', 'open']);
        check("phpredis, $way left open: the next coroutine sees what the next line of a script sees", $expected, left_open($way, elsewhere(...)));
    }
    // A pool whose users look at the state first: nobody gets what was meant for another one.
    $pool = new ConnectionPool(redis(...), 3);
    $good = $open = 0;
    $errors = [];
    $group = new WaitGroup(COROUTINES);
    for ($i = 0; $i < COROUTINES; $i++) {
        Coroutine::create(static function () use ($i, $pool, $group, &$good, &$open, &$errors): void {
            for ($round = 0; $round < 5; $round++) {
                $redis = $pool->get();
                try {
                    if ($redis->getMode() !== Redis::ATOMIC) {
                        $redis->discard();
                        $open++;
                    }
                    $redis->set("own $i", "$i $round");
                    $good += $redis->get("own $i") === "$i $round" ? 1 : 0;
                    if ($i % 10 === 0) {
                        $redis->{$round % 2 === 0 ? 'multi' : 'pipeline'}();
                        $redis->set('left', 'open');
                    }
                } catch (Throwable $error) {
                    $errors[] = $error->getMessage();
                }
                $pool->put($redis);
            }
            $group->done();
        });
    }
    $group->wait(60);
    check('phpredis: users that discard what they find open get their own values', [COROUTINES * 5, []], [$good, $errors]);
    check('and such connections were met', true, $open > 50);
};

/** Each driver: how to connect, its number on the server, a statement that is kept, to run it again, and a query that waits. */
$drivers = [
    'pdo_mysql' => ['mysql', static fn () => mysql_pdo(false), static fn (PDO $pdo): int => (int) $pdo->query('SELECT CONNECTION_ID()')->fetchColumn(),
        static fn (PDO $pdo): PDOStatement => $pdo->prepare('SELECT ? + 1'), static fn (PDOStatement $statement): int => $statement->execute([1]) ? (int) $statement->fetchColumn() : -1,
        static fn (PDO $pdo): mixed => $pdo->query('SELECT SLEEP(30)')->fetchColumn()],
    'pdo_mysql, emulated' => ['mysql', static fn () => mysql_pdo(true), static fn (PDO $pdo): int => (int) $pdo->query('SELECT CONNECTION_ID()')->fetchColumn(),
        static fn (PDO $pdo): PDOStatement => $pdo->prepare('SELECT ? + 1'), static fn (PDOStatement $statement): int => $statement->execute([1]) ? (int) $statement->fetchColumn() : -1,
        static fn (PDO $pdo): mixed => $pdo->query('SELECT SLEEP(30)')->fetchColumn()],
    'mysqli' => ['mysql', mysqli_link(...), static fn (mysqli $link): int => $link->thread_id,
        static fn (mysqli $link): mysqli_stmt => $link->prepare('SELECT 1 + 1'), static fn (mysqli_stmt $statement): int => $statement->execute() ? (int) $statement->get_result()->fetch_row()[0] : -1,
        static fn (mysqli $link): mixed => $link->query('SELECT SLEEP(30)')],
    'odbc' => ['mysql', static fn () => new PDO("odbc:Driver=MariaDB Unicode;Server=127.0.0.1;Port={$at['mysql']};Database=test;User=root"), static fn (PDO $pdo): int => (int) $pdo->query('SELECT CONNECTION_ID()')->fetchColumn(),
        static fn (PDO $pdo): PDOStatement => $pdo->prepare('SELECT ? + 1'), static fn (PDOStatement $statement): int => $statement->execute([1]) ? (int) $statement->fetchColumn() : -1,
        static fn (PDO $pdo): mixed => $pdo->query('SELECT SLEEP(30)')->fetchColumn()],
    'pdo_pgsql' => ['pg', pg_pdo(...), static fn (PDO $pdo): int => (int) $pdo->query('SELECT pg_backend_pid()')->fetchColumn(),
        static fn (PDO $pdo): PDOStatement => $pdo->prepare('SELECT ?::int + 1'), static fn (PDOStatement $statement): int => $statement->execute([1]) ? (int) $statement->fetchColumn() : -1,
        static fn (PDO $pdo): mixed => $pdo->query('SELECT pg_sleep(30)')->fetchColumn()],
    'pgsql' => ['pg', pg(...), static fn (PgSql\Connection $link): int => pg_get_pid($link),
        static function (PgSql\Connection $link): PgSql\Connection {
            static $number = 0;
            pg_prepare($link, 'kept' . ++$number, 'SELECT 1 + 1');
            return $link;
        }, static function (PgSql\Connection $link): int {
            $result = pg_query($link, 'SELECT 1 + 1');
            return $result === false ? throw new Exception(pg_last_error($link)) : (int) pg_fetch_result($result, 0, 0);
        },
        static fn (PgSql\Connection $link): mixed => pg_query($link, 'SELECT pg_sleep(30)') ?: throw new Exception(pg_last_error($link))],
];

/** The server ends the connection, and nothing of it is left there. */
function kill_connection(string $server, int $number): void
{
    $watch = $server === 'mysql' ? mysql_pdo(true) : pg_pdo();
    $watch->query($server === 'mysql' ? "KILL CONNECTION $number" : "SELECT pg_terminate_backend($number)")->closeCursor();
    $seen = $server === 'mysql' ? "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = $number" : "SELECT COUNT(*) FROM pg_stat_activity WHERE pid = $number";
    $deadline = microtime(true) + 10;
    while ((int) $watch->query($seen)->fetchColumn() > 0 && microtime(true) < $deadline) {
        Coroutine::sleep(0.002);
    }
}

/** @param list<int> $users */
function have_ended(array $users): bool
{
    $left = array_values(array_filter($users, Coroutine::exists(...)));
    return $left === [] || Coroutine::join($left, 20);
}

/** Errors of a connection that the server has ended, in the words of the drivers and of the C library. */
const LOST = '/gone away|Lost connection|terminating connection|server closed the connection|no connection to the server|Connection reset|Broken pipe|connection was killed|SSL SYSCALL|interrupted/i';

function is_lost(mixed $seen): bool
{
    return is_string($seen) && preg_match(LOST, $seen) === 1 && !str_contains($seen, 'already been bound');
}

/** The drivers say some of it as a warning too; a request's log is no place for it here. */
function quietly(callable $work): mixed
{
    try {
        return @$work();
    } catch (Throwable $error) {
        return $error::class . ': ' . $error->getMessage();
    }
}

$parts['lost'] = static function () use ($drivers): void {
    foreach ($drivers as $name => [$server, $connect, $number, $prepare, $again, $wait]) {
        // Statements live in coroutines that have given the connection back; nobody uses it when it is ended.
        $connection = $connect();
        $lost = $rows = 0;
        $ready = new WaitGroup(20);
        $gate = new Coroutine\Channel(20);
        $pool = new ConnectionPool(static fn (): object => $connection, 1);
        $users = [];
        for ($i = 0; $i < 20; $i++) {
            $users[] = Coroutine::create(static function () use ($i, $pool, $prepare, $again, $ready, $gate, &$lost, &$rows): void {
                $mine = $pool->get();
                $statement = $prepare($mine);
                $rows += quietly(static fn (): int => $again($statement)) === 2 ? 1 : 0;
                $pool->put($mine);
                unset($mine);
                $ready->done();
                $gate->pop(20);
                if ($i % 2 === 0) { // the others only let their statement end
                    $mine = $pool->get();
                    $lost += is_lost(quietly(static fn (): int => $again($statement))) ? 1 : 0;
                    $pool->put($mine);
                }
            });
        }
        $ready->wait(20);
        kill_connection($server, $number($connection));
        $gate->close();
        check("$name, the connection was ended meanwhile: all had rows, ended by themselves", [20, true], [$rows, have_ended($users)]);
        check("$name: each use after it has the driver's own error", 10, $lost);
        $pool->close();
        unset($connection, $pool);

        // One waits in it, the others' statements end or are asked while it is being ended.
        $connection = $connect();
        $statements = [];
        for ($i = 0; $i < 6; $i++) {
            $statements[] = $prepare($connection);
        }
        $pid = $number($connection);
        $seen = null;
        $user = Coroutine::create(static function () use ($connection, $wait, &$seen): void {
            $seen = quietly(static fn (): mixed => $wait($connection));
        });
        // In coroutines of their own: the end of a statement of ODBC waits for its connection's mutex.
        $pop = static function () use (&$statements): void {
            array_pop($statements);
        };
        $ends = [Coroutine::create($pop)];
        kill_connection($server, $pid);
        $ends[] = Coroutine::create($pop);
        check("$name, ended under a waiting coroutine: it goes on", true, have_ended([$user, ...$ends]));
        check("$name: with the driver's own error", true, is_lost($seen) ?: $seen);
        $seen = elsewhere(static fn (): mixed => quietly(static fn (): int => $again($statements[0])));
        check("$name: a kept statement too", true, is_lost($seen) ?: $seen);
        $statements = [];
        unset($connection);
        $connection = $connect();
        $statement = $prepare($connection);
        check("$name: and a new connection works", 2, quietly(static fn (): int => $again($statement)));
    }
    // Closed by its own side, while statements of it live elsewhere.
    $link = mysqli_link();
    $statements = [$link->prepare('SELECT 1'), $link->prepare('SELECT 2')];
    $link->close();
    $seen = elsewhere(static fn (): mixed => quietly(static fn (): mixed => $statements[0]->execute()));
    check('mysqli: the statement of a closed connection', true, is_lost($seen) ?: $seen);
    $statements = [];
    check('mysqli: and its end', 0, gc_collect_cycles());
};

/** What a second user hears between two results, told as in a script without coroutines. @param callable(callable(): mixed): mixed $one */
function between_results(callable $one): array
{
    $heard = [];
    $pdo = mysql_pdo(true);
    $call = $pdo->query('CALL three_results()');
    $heard['first'] = (int) $call->fetchColumn();
    $heard['meanwhile'] = $one(static fn (): mixed => $pdo->query('SELECT 4')->fetchColumn());
    $heard['second'] = $call->nextRowset() ? (int) $call->fetchColumn() : 'none';
    $heard['third'] = $call->nextRowset() ? (int) $call->fetchColumn() : 'none';
    $call = null;
    $heard['afterwards'] = $one(static fn (): int => (int) $pdo->query('SELECT 4')->fetchColumn());

    $link = mysqli_link();
    $link->multi_query('CALL three_results(); SELECT 9');
    $heard['mysqli first'] = $link->store_result()->fetch_row()[0];
    $heard['mysqli more'] = $link->more_results();
    $heard['mysqli meanwhile'] = $one(static fn (): mixed => $link->query('SELECT 4'));
    $rest = [];
    while ($link->more_results() && $link->next_result()) {
        $result = $link->store_result();
        $rest[] = $result instanceof mysqli_result ? $result->fetch_row()[0] : $result;
    }
    $heard['mysqli rest'] = $rest;
    $heard['mysqli afterwards'] = $one(static fn (): mixed => $link->query('SELECT 4')->fetch_row()[0]);
    return $heard;
}

$parts['results'] = static function (array $expected): void {
    check('the results of a CALL in a script without coroutines', [1, 2, 3, 4, '9'], [$expected['first'], $expected['second'], $expected['third'], $expected['afterwards'], array_slice($expected['mysqli rest'], -1)[0] ?? null]);
    check('between two results another coroutine hears the same', $expected, between_results(elsewhere(...)));

    // While the first one waits for its second result.
    foreach (['pdo_mysql', 'mysqli'] as $name) {
        $connection = $name === 'mysqli' ? mysqli_link() : mysql_pdo(true);
        $rows = [];
        $user = Coroutine::create(static function () use ($connection, &$rows): void {
            if ($connection instanceof mysqli) {
                $connection->multi_query('CALL three_results()');
                do {
                    $result = $connection->store_result();
                    $rows[] = $result instanceof mysqli_result ? (int) $result->fetch_row()[0] : 'end';
                } while ($connection->more_results() && $connection->next_result());
                return;
            }
            $call = $connection->query('CALL three_results()');
            do {
                $rows[] = $call->columnCount() > 0 ? (int) $call->fetchColumn() : 'end';
            } while ($call->nextRowset());
        });
        $deadline = microtime(true) + 10;
        while ($rows === [] && microtime(true) < $deadline) {
            Coroutine::sleep(0.001);
        }
        $second = after(static fn (): mixed => $connection->query('SELECT 4'));
        $waiting = Coroutine::exists($user);
        Coroutine::join([$user]);
        check("$name: while the second result is being waited for, a second user is refused", [true, true], [$waiting, is_string($second) && str_contains($second, 'has already been bound')]);
        check("$name: and the first one gets all results", [1, 2, 3, 'end'], $rows);
    }
};

/** Statements end while the connection waits for the rows of another one: mysqlnd itself would tell the server nothing of it. */
$parts['executing'] = static function () use ($drivers): void {
    $count = static fn (PDO $pdo): int => (int) $pdo->query("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'")->fetch(PDO::FETCH_NUM)[1];
    $watch = mysql_pdo(true);
    foreach (['pdo_mysql', 'mysqli'] as $name) {
        [, $connect, , $prepare, $again] = $drivers[$name];
        $before = $count($watch);
        $connection = $connect();
        $slow = $connection->prepare('SELECT SLEEP(0.1)');
        $statements = [];
        for ($i = 0; $i < 10; $i++) {
            $statements[] = $statement = $prepare($connection);
            $again($statement);
        }
        unset($statement);
        $there = $count($watch) - $before;
        $user = Coroutine::create(static function () use ($slow): void {
            $slow->execute();
        });
        $statements = [];
        $waiting = Coroutine::exists($user);
        Coroutine::join([$user]);
        unset($slow);
        check("$name: statements that ended while another one was executed", [11, true, 2], [$there, $waiting, $again($prepare($connection))]);
        $deadline = microtime(true) + 3;
        while (($left = $count($watch) - $before) > 0 && microtime(true) < $deadline) {
            Coroutine::sleep(0.002);
        }
        check("$name: are closed with the next command", 0, $left);
        unset($connection);
        while ($count($watch) > $before && microtime(true) < $deadline) {
            Coroutine::sleep(0.002);
        }
    }
};

mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
// What a script without coroutines and hooks shows.
$outside = [];
if ($argv[2] === 'left_open') {
    $outside = ['multi' => left_open('multi', after(...)), 'pipeline' => left_open('pipeline', after(...))];
} elseif ($argv[2] === 'results') {
    mysql_pdo(true)->exec('CREATE OR REPLACE PROCEDURE three_results() BEGIN SELECT 1; SELECT 2 + SLEEP(0.05); SELECT 3; END');
    $outside = between_results(after(...));
}
run($parts[$argv[2]], $outside);
