<?php

declare(strict_types=1);

/*
 * The checks of statements_test.php about statements that end while their connection is free, or in the middle of somebody's call. A check is a line
 * of JSON. usage: ending_statements.php PORTS PART
 */

use Swoole\Coroutine;

use function Swoole\Coroutine\run;

/** @var array{mysql: int, pg: int, redis: int} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);

require __DIR__ . '/database_users.php';

/**
 * Two coroutines that are woken together. The first has worked for so long that a call of its which moves bytes lets the second go on; which one, the
 * number of calls before says. Gives what both of them heard.
 *
 * @return array{mixed, mixed}
 */
function in_turn(callable $first, callable $second, int $calls): array
{
    $heard = [null, null];
    $pairs = [];
    $cids = [];
    foreach ([$first, $second] as $i => $work) {
        $pairs[$i] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $cids[] = Coroutine::create(static function () use ($i, $work, $calls, $pairs, &$heard): void {
            [$own] = $pairs[$i];
            fread($own, 1);
            if ($i === 0) {
                for ($call = 0; $call < $calls; $call++) {
                    fwrite($own, '.');
                }
                for ($until = hrtime(true) + 3_000_000; hrtime(true) < $until;);
            }
            $heard[$i] = after($work);
        });
    }
    foreach ($pairs as [, $other]) {
        fwrite($other, '.');
    }
    Coroutine::join($cids);
    return $heard;
}

/** One of eight calls looks at the clock. */
const CALLS = 8;
const TRIES = 50;

$parts['in_turn'] = static function (): void {
    foreach (['pdo_mysql', 'mysqli', 'pdo_pgsql', 'pdo_pgsql, cursor', 'odbc'] as $name) {
        [$connect, $ask] = drivers()[$name];
        foreach (['a call, then ends', 'ends, then a call'] as $order) {
            $connection = $connect();
            $try = static function () use ($connection, $ask, $order): string {
                $kept = [];
                for ($i = 0; $i < 4; $i++) {
                    $kept[] = $ask($connection, $i)[1];
                }
                $call = static fn (): int => $ask($connection, 9)[0];
                $end = static function () use (&$kept): string {
                    $kept = [];
                    return 'ended';
                };
                $calls = random_int(0, CALLS - 1);
                $both = $order === 'a call, then ends' ? in_turn($call, $end, $calls) : array_reverse(in_turn($end, $call, $calls));
                return json_encode([...$both, $ask($connection, 10)[0]]);
            };
            $heard = [];
            for ($i = 0; $i < TRIES; $i++) {
                $heard[after($try)] = true;
            }
            check("$name, $order: both go on, and the connection", ['[9,"ended",10]'], array_keys($heard));
        }
    }
};

// The driver's own lock is not held while a parameter is on its way, which lasts here until the server reads on.
$parts['long_parameter'] = static function (): void {
    [$connect, $ask] = drivers()['odbc'];
    $connection = $connect();
    $server = (int) file_get_contents((string) mysql_pdo(true)->query('SELECT @@pid_file')->fetchColumn());
    $kept = [];
    for ($i = 0; $i < 3; $i++) {
        $kept[] = $ask($connection, $i)[1];
    }
    $long = $connection->prepare('SELECT LENGTH(?)');
    $size = 8 << 20;
    $length = null;
    posix_kill($server, SIGSTOP);
    $sender = Coroutine::create(static function () use ($long, $size, &$length): void {
        $length = after(static fn (): int => $long->execute([str_repeat('x', $size)]) ? (int) $long->fetchColumn() : 0);
    });
    Coroutine::create(static function () use ($server): void {
        Coroutine::sleep(0.02);
        posix_kill($server, SIGCONT);
    });
    $ended = after(static function () use (&$kept): string {
        $kept = [];
        return 'ended';
    });
    Coroutine::join([$sender]);
    check('odbc: statements end while a long parameter is sent', [$size, 'ended'], [$length, $ended]);
    check('odbc: and the connection goes on', 9, after(static fn (): int => $ask($connection, 9)[0]));
};

$parts['transactions'] = static function (): void {
    $connection = pg_pdo();
    $connection->exec('CREATE TEMPORARY TABLE t (n int)');
    $connection->beginTransaction();
    $connection->exec('INSERT INTO t VALUES (1)');
    $prepared = static fn (): int => (int) $connection->query("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%::int'")->fetchColumn();
    $most = 0;
    for ($i = 0; $i < 300; $i++) {
        pdo_row($connection, 'SELECT ?::int', $i);
        $most = max($most, $i % 50 === 49 ? $prepared() : 0);
    }
    check('a long transaction has its statements freed now and then', true, $most < 150);
    $kept = [];
    for ($i = 0; $i < 100; $i++) {
        $kept[] = pdo_row($connection, 'SELECT ?::int', $i);
    }
    $connection->exec('DEALLOCATE ALL');
    $connection->exec('INSERT INTO t VALUES (2)');
    $kept = [];
    check('the end of statements that the server has forgotten does not end it', '2', (string) after(static fn (): mixed => $connection->query('SELECT count(*) FROM t')->fetchColumn()));
    $connection->commit();
    check('and it is committed', '2', (string) $connection->query('SELECT count(*) FROM t')->fetchColumn());

    $cursor = $connection->prepare('SELECT 1 UNION ALL SELECT 2', [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL]);
    $connection->beginTransaction();
    $cursor->execute();
    $connection->rollBack();
    $connection->beginTransaction();
    $connection->exec('INSERT INTO t VALUES (3)');
    unset($cursor);
    check('nor does the end of a cursor whose transaction was rolled back', '3', (string) after(static fn (): mixed => $connection->query('SELECT count(*) FROM t')->fetchColumn()));
    $connection->commit();
    check('and its successor is committed', '3', (string) $connection->query('SELECT count(*) FROM t')->fetchColumn());
};

/** Connections that are reset while statements of theirs are alive, which end in the middle of that or later. */
$parts['reset'] = static function (): void {
    $ways = [
        'mysqli' => static fn (mysqli $link): bool => $link->change_user('root', '', 'test'),
        'pdo_pgsql' => static fn (PDO $pdo): bool => $pdo->exec('DISCARD ALL') !== false,
        'pdo_pgsql, cursor' => static fn (PDO $pdo): bool => $pdo->exec('DISCARD ALL') !== false,
    ];
    foreach ($ways as $name => $reset) {
        [$connect, $ask] = drivers()[$name];
        $connection = $connect();
        $kept = [];
        for ($i = 0; $i < 6; $i++) {
            $kept[] = $ask($connection, $i)[1];
        }
        $done = null;
        $user = Coroutine::create(static function () use ($connection, $reset, &$done): void {
            $done = after(static fn (): bool => $reset($connection));
        });
        array_splice($kept, 0, 3);
        Coroutine::join([$user]);
        check("$name: statements end while their connection is reset", true, $done);
        $row = null;
        $user = Coroutine::create(static function () use ($connection, $ask, &$row): void {
            $row = after(static fn (): int => $ask($connection, 7)[0]);
        });
        array_pop($kept);
        Coroutine::join([$user]);
        check("$name: and while another coroutine asks after it", 7, $row);
        $own = after(static fn (): mixed => $ask($connection, 8));
        $kept = [];
        check("$name: what was prepared after it is not ended by them", [8, 9], [$own[0], after(static fn (): int => $ask($connection, 9)[0])]);
    }
};

/** A coroutine is cancelled while the end of its statement waits for the server. */
$parts['cancelled'] = static function (): void {
    foreach (['pdo_pgsql', 'pdo_pgsql, cursor'] as $name) {
        [$connect, $ask] = drivers()[$name];
        $connection = $connect();
        $statement = $ask($connection, 1)[1];
        $end = Coroutine::create(static function () use (&$statement): void {
            $statement = null;
        });
        Coroutine::cancel($end);
        Coroutine::join([$end]);
        check("$name: the connection goes on", 2, after(static fn (): int => $ask($connection, 2)[0]));
    }
};

/** A collection of cycles begins in a driver's own method, and ends statements of a connection that another coroutine waits in. */
$parts['collection'] = static function (): void {
    foreach (['pdo_mysql', 'mysqli', 'pdo_pgsql', 'pdo_pgsql, cursor', 'odbc'] as $name) {
        [$connect, $ask] = drivers()[$name];
        $connection = $connect();
        $statement = $ask($connection, 1)[1];
        $other = pg_pdo()->prepare('SELECT 1');
        $held = new stdClass();
        $other->setFetchMode(PDO::FETCH_INTO, $held);
        gc_collect_cycles();
        $cycle = new stdClass();
        $cycle->self = $cycle;
        $cycle->statement = $statement;
        unset($cycle, $statement);
        while (gc_status()['roots'] < gc_status()['threshold'] - 1) {
            $cycle = new stdClass();
            $cycle->self = $cycle;
            unset($cycle);
        }
        $runs = gc_status()['runs'];
        $row = null;
        $user = Coroutine::create(static function () use ($connection, $ask, &$row): void {
            $row = after(static fn (): int => $ask($connection, 2)[0]);
        });
        $method = after(static fn (): bool => $other->setFetchMode(PDO::FETCH_INTO, new stdClass()));
        $collected = gc_status()['runs'] - $runs;
        Coroutine::join([$user]);
        check("$name: a statement ends in a collection within another driver's method", [true, 1, 2], [$method, $collected, $row]);
        check("$name: and the connection goes on", 3, after(static fn (): int => $ask($connection, 3)[0]));
    }
};

mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
run($parts[$argv[2]]);
