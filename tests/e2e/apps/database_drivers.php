<?php

declare(strict_types=1);

/*
 * The checks of database_drivers_test.php: what drivers give and say in coroutines is what they give and say without.
 * A check is a line of JSON.
 */

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\WaitGroup;
use Swoole\Runtime;

/** @var array{mysql: int, socket: string, pg: int, redis: int, garbage: int, closing: int, silent: int, mysqlProxy: int, mysqlControl: string, pgProxy: int, pgControl: string, odbc: string, folder: string} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => $name, 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION), "\n";
}

function control(string $address, string $line): void
{
    $socket = stream_socket_client($address, $code, $message, 10) ?: throw new Exception($message);
    fwrite($socket, "$line\n");
    fgets($socket);
}

/** What it gives or throws, with the warnings. */
function said(callable $work): mixed
{
    $said = [];
    set_error_handler(static function (int $level, string $message) use (&$said): bool {
        $said[] = "$level: $message";
        return true;
    });
    try {
        $result = $work();
    } catch (Throwable $error) {
        $result = [];
        for (; $error !== null; $error = $error->getPrevious()) {
            $result[] = [$error::class, $error->getCode(), $error->getMessage()];
        }
    } finally {
        restore_error_handler();
    }
    $text = (string) json_encode([$result, $said], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
    return preg_replace(['/PID[ :=]+\d+/i', '/"pid":"?\d+"?/'], ['PID', '"pid"'], $text);
}

$mysqlDsn = "mysql:host=127.0.0.1;port=$at[mysql];dbname=test";
$pgDsn = "pgsql:host=127.0.0.1;port=$at[pg];user=postgres;dbname=postgres";
$pgText = "host=127.0.0.1 port=$at[pg] user=postgres dbname=postgres";
$pdo = static fn (array $options = []): PDO => new PDO($mysqlDsn, 'root', '', $options);
$pgPdo = static fn (array $options = []): PDO => new PDO($pgDsn, null, null, $options);
$mysqli = static fn (string $host = '127.0.0.1'): mysqli => new mysqli($host, 'root', '', 'test', $at['mysql']);
$pgsql = static fn (): PgSql\Connection => pg_connect($pgText, PGSQL_CONNECT_FORCE_NEW) ?: throw new Exception('no connection');
$redis = static function () use ($at): Redis {
    $redis = new Redis();
    $redis->connect('127.0.0.1', $at['redis']);
    return $redis;
};
$setup = $pdo([PDO::MYSQL_ATTR_INIT_COMMAND => 'CREATE DATABASE IF NOT EXISTS test'] + []);
$setup->exec('CREATE TABLE unique_things (id INT PRIMARY KEY, n INT) ENGINE=InnoDB');
$setup->exec('INSERT INTO unique_things VALUES (1, 1), (2, 2)');
$pgSetup = $pgPdo();
$pgSetup->exec('CREATE TABLE unique_things (id INT PRIMARY KEY, n INT)');
$pgSetup->exec('INSERT INTO unique_things VALUES (1, 1), (2, 2)');

/** @var array<string, callable(): mixed> $scenarios */
$scenarios = [
    'PDO MySQL: a result' => static fn (): mixed => $pdo()->query('SELECT 1 AS a, NULL AS b, 1.5 AS c, NOW() > 0 AS d')->fetchAll(PDO::FETCH_ASSOC),
    'PDO MySQL: 20 MB' => static fn (): mixed => md5($pdo([PDO::ATTR_EMULATE_PREPARES => false])->query("SELECT REPEAT('0123456789', 2000000)")->fetchColumn()),
    'PDO MySQL: many rows, unbuffered' => static function () use ($pdo): array {
        $db = $pdo([PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false]);
        $sum = 0;
        foreach ($db->query('SELECT seq FROM seq_1_to_100000') as $row) {
            $sum += $row[0];
        }
        return [$sum, $db->query('SELECT 1')->fetchColumn()];
    },
    'PDO MySQL: a query while results are open' => static function () use ($pdo): mixed {
        $db = $pdo([PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false]);
        $open = $db->query('SELECT seq FROM seq_1_to_100');
        $open->fetch();
        return $db->query('SELECT 1')->fetchColumn();
    },
    'PDO MySQL: several statements' => static function () use ($pdo): array {
        $statement = $pdo()->query('SELECT 1; SELECT 2');
        $first = $statement->fetchAll(PDO::FETCH_NUM);
        return [$first, $statement->nextRowset(), $statement->fetchAll(PDO::FETCH_NUM), $statement->nextRowset()];
    },
    'PDO MySQL: syntax' => static fn (): mixed => $pdo()->query('SELEC 1'),
    'PDO MySQL: syntax, as a warning' => static fn (): mixed => $pdo([PDO::ATTR_ERRMODE => PDO::ERRMODE_WARNING])->query('SELEC 1'),
    'PDO MySQL: syntax, silent' => static function () use ($pdo): array {
        $db = $pdo([PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT]);
        return [$db->query('SELEC 1'), $db->errorInfo()];
    },
    'PDO MySQL: a key twice' => static fn (): mixed => $pdo([PDO::ATTR_EMULATE_PREPARES => false])->prepare('INSERT INTO unique_things VALUES (?, 1)')->execute([1]),
    'PDO MySQL: wrong password' => static fn (): mixed => new PDO($mysqlDsn, 'root', 'wrong'),
    'PDO MySQL: unknown database' => static fn (): mixed => new PDO(str_replace('=test', '=none', $mysqlDsn), 'root', ''),
    'PDO MySQL: refused' => static fn (): mixed => new PDO('mysql:host=127.0.0.1;port=1', 'root', ''),
    'PDO MySQL: no such socket' => static fn (): mixed => new PDO('mysql:unix_socket=/nowhere/sock', 'root', ''),
    'PDO MySQL: another protocol' => static fn (): mixed => new PDO("mysql:host=127.0.0.1;port=$at[garbage]", 'root', ''),
    'PDO MySQL: closed at once' => static fn (): mixed => new PDO("mysql:host=127.0.0.1;port=$at[closing]", 'root', ''),
    'PDO MySQL: silent, with a time limit' => static function () use ($at): mixed {
        ini_set('mysqlnd.net_read_timeout', '1');
        try {
            return new PDO("mysql:host=127.0.0.1;port=$at[silent]", 'root', '');
        } finally {
            ini_restore('mysqlnd.net_read_timeout');
        }
    },
    'PDO MySQL: killed' => static function () use ($pdo, $setup): mixed {
        $db = $pdo();
        $setup->exec('KILL ' . $db->query('SELECT CONNECTION_ID()')->fetchColumn());
        try {
            return $db->query('SELECT 1');
        } finally {
            check('PDO MySQL: and stays so', true, str_contains((string) said(static fn (): mixed => $db->query('SELECT 1')), '2006'));
        }
    },
    'PDO MySQL: stops in the middle' => static function () use ($at): mixed {
        $db = new PDO("mysql:host=127.0.0.1;port=$at[mysqlProxy];dbname=test", 'root', '');
        control($at['mysqlControl'], 'cut 5000');
        try {
            return strlen($db->query("SELECT REPEAT('0123456789', 200000)")->fetchColumn());
        } finally {
            control($at['mysqlControl'], 'pass');
        }
    },
    'PDO MySQL: garbage in the middle' => static function () use ($at): mixed {
        $db = new PDO("mysql:host=127.0.0.1;port=$at[mysqlProxy];dbname=test", 'root', '');
        control($at['mysqlControl'], 'garbage');
        try {
            return $db->query('SELECT 1')->fetchAll();
        } finally {
            control($at['mysqlControl'], 'pass');
        }
    },
    'PDO MySQL: transactions' => static function () use ($pdo): array {
        $db = $pdo();
        $db->beginTransaction();
        $db->exec('INSERT INTO unique_things VALUES (3, 3)');
        $inside = $db->query('SELECT COUNT(*) FROM unique_things')->fetchColumn();
        $db->rollBack();
        return [$inside, $db->query('SELECT COUNT(*) FROM unique_things')->fetchColumn(), $db->inTransaction()];
    },
    'mysqli: a result' => static fn (): mixed => $mysqli()->query('SELECT 1 AS a, NULL AS b')->fetch_all(MYSQLI_ASSOC),
    'mysqli: persistent' => static fn (): mixed => [$mysqli('p:127.0.0.1')->query('SELECT 1')->fetch_row(), $mysqli('p:127.0.0.1')->query('SELECT 2')->fetch_row()],
    'mysqli: asynchronous' => static function () use ($mysqli): array {
        $all = [$mysqli(), $mysqli(), $mysqli()];
        foreach ($all as $i => $link) {
            $link->query("SELECT SLEEP(0.05), $i", MYSQLI_ASYNC);
        }
        $got = [];
        while (count($got) < 3) {
            $read = $error = $reject = $all;
            if (mysqli_poll($read, $error, $reject, 5) > 0) {
                foreach ($read as $link) {
                    $got[] = $link->reap_async_query()->fetch_row()[1];
                    unset($all[array_search($link, $all, true)]);
                }
            }
        }
        sort($got);
        return $got;
    },
    'mysqli: syntax' => static fn (): mixed => $mysqli()->query('SELEC 1'),
    'mysqli: wrong password' => static fn (): mixed => new mysqli('127.0.0.1', 'root', 'wrong', '', $at['mysql']),
    'mysqli: refused' => static fn (): mixed => new mysqli('127.0.0.1', 'root', '', '', 1),
    'mysqli: another protocol' => static fn (): mixed => new mysqli('127.0.0.1', 'root', '', '', $at['garbage']),
    'mysqli: an answer that takes too long' => static function () use ($at): mixed {
        $link = mysqli_init();
        $link->options(MYSQLI_OPT_READ_TIMEOUT, 1);
        $link->real_connect('127.0.0.1', 'root', '', 'test', $at['mysql']);
        return $link->query('SELECT SLEEP(20)');
    },
    'PDO PostgreSQL: a result' => static fn (): mixed => $pgPdo()->query('SELECT 1 AS a, NULL AS b, 1.5 AS c, true AS d')->fetchAll(PDO::FETCH_ASSOC),
    'PDO PostgreSQL: 20 MB' => static fn (): mixed => md5($pgPdo()->query("SELECT REPEAT('0123456789', 2000000)")->fetchColumn()),
    'PDO PostgreSQL: syntax' => static fn (): mixed => $pgPdo()->query('SELEC 1'),
    'PDO PostgreSQL: a key twice' => static fn (): mixed => $pgPdo()->prepare('INSERT INTO unique_things VALUES (?, 1)')->execute([1]),
    'PDO PostgreSQL: unknown database' => static fn (): mixed => new PDO(str_replace('=postgres', '=none', $pgDsn)),
    'PDO PostgreSQL: refused' => static fn (): mixed => new PDO('pgsql:host=127.0.0.1;port=1;user=postgres'),
    'PDO PostgreSQL: another protocol' => static fn (): mixed => new PDO("pgsql:host=127.0.0.1;port=$at[garbage];user=postgres"),
    'PDO PostgreSQL: closed at once' => static fn (): mixed => new PDO("pgsql:host=127.0.0.1;port=$at[closing];user=postgres"),
    'PDO PostgreSQL: silent, with a time limit' => static fn (): mixed => new PDO("pgsql:host=127.0.0.1;port=$at[silent];user=postgres", null, null, [PDO::ATTR_TIMEOUT => 2]),
    'PDO PostgreSQL: killed' => static function () use ($pgPdo, $pgSetup): mixed {
        $db = $pgPdo();
        $pgSetup->query('SELECT pg_terminate_backend(' . $db->query('SELECT pg_backend_pid()')->fetchColumn() . ', 5000)');
        return $db->query('SELECT 1');
    },
    'PDO PostgreSQL: stops in the middle' => static function () use ($at): mixed {
        $db = new PDO("pgsql:host=127.0.0.1;port=$at[pgProxy];user=postgres;dbname=postgres");
        control($at['pgControl'], 'cut 5000');
        try {
            return strlen($db->query("SELECT REPEAT('0123456789', 200000)")->fetchColumn());
        } finally {
            control($at['pgControl'], 'pass');
        }
    },
    'PDO PostgreSQL: garbage in the middle' => static function () use ($at): mixed {
        $db = new PDO("pgsql:host=127.0.0.1;port=$at[pgProxy];user=postgres;dbname=postgres");
        control($at['pgControl'], 'garbage');
        try {
            return $db->query('SELECT 1')->fetchAll();
        } finally {
            control($at['pgControl'], 'pass');
        }
    },
    'PDO PostgreSQL: large objects' => static function () use ($pgPdo): array {
        $db = $pgPdo();
        $db->beginTransaction();
        $oid = $db->pgsqlLOBCreate();
        $stream = $db->pgsqlLOBOpen($oid, 'w');
        $written = fwrite($stream, str_repeat('x', 100000));
        fclose($stream);
        $read = strlen((string) stream_get_contents($db->pgsqlLOBOpen($oid)));
        $db->rollBack();
        return [$written, $read];
    },
    'pgsql: parameters and prepared statements' => static function () use ($pgsql): array {
        $link = $pgsql();
        pg_prepare($link, 'two', 'SELECT $1::int + 1');
        return [pg_fetch_all(pg_query_params($link, 'SELECT $1::text AS t', ['x'])), pg_fetch_row(pg_execute($link, 'two', [4]))];
    },
    'pgsql: asynchronous' => static function () use ($pgsql): array {
        $link = $pgsql();
        pg_send_query($link, 'SELECT pg_sleep(0.05), 5; SELECT 6');
        $busy = pg_connection_busy($link);
        return [$busy, pg_fetch_row(pg_get_result($link))[1], pg_fetch_row(pg_get_result($link))[0], pg_get_result($link)];
    },
    'pgsql: COPY' => static function () use ($pgsql): array {
        $link = $pgsql();
        pg_query($link, 'CREATE TEMPORARY TABLE copied (a INT, b TEXT)');
        $done = pg_copy_from($link, 'copied', array_map(static fn (int $i): string => "$i\ttext $i\n", range(1, 20000)));
        pg_query($link, 'COPY copied FROM STDIN');
        pg_put_line($link, "20001\tby line\n\\.\n");
        return [$done, pg_end_copy($link), count(pg_copy_to($link, 'copied')), pg_fetch_row(pg_query($link, 'SELECT SUM(a) FROM copied'))];
    },
    'pgsql: large objects' => static function () use ($pgsql): array {
        $link = $pgsql();
        pg_query($link, 'BEGIN');
        $oid = pg_lo_create($link);
        $lob = pg_lo_open($link, $oid, 'rw');
        $done = [pg_lo_write($lob, str_repeat('ab', 5000)), pg_lo_seek($lob, 2, PGSQL_SEEK_SET), pg_lo_read($lob, 4), pg_lo_close($lob)];
        pg_query($link, 'ROLLBACK');
        return $done;
    },
    'pgsql: LISTEN and NOTIFY' => static function () use ($pgsql): array {
        [$link, $other] = [$pgsql(), $pgsql()];
        pg_query($link, 'LISTEN news');
        pg_query($other, "NOTIFY news, 'text'");
        $read = [pg_socket($link)];
        $none = [];
        $ready = stream_select($read, $none, $none, 10);
        $note = pg_get_notify($link, PGSQL_ASSOC);
        return [$ready, $note['message'] ?? null, $note['payload'] ?? null];
    },
    'pgsql: cancel' => static function () use ($pgsql): array {
        [$link, $other] = [$pgsql(), $pgsql()];
        pg_send_query($link, 'SELECT pg_sleep(20)');
        while (pg_num_rows(pg_query($other, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")) === 0) {
            usleep(10_000);
        }
        $cancelled = pg_cancel_query($link);
        return [$cancelled, pg_get_result($link), pg_fetch_row(pg_query($link, 'SELECT 1'))];
    },
    'pgsql: syntax' => static fn (): mixed => pg_query($pgsql(), 'SELEC 1'),
    'pgsql: refused' => static fn (): mixed => pg_connect('host=127.0.0.1 port=1 user=postgres', PGSQL_CONNECT_FORCE_NEW),
    'pgsql: another protocol' => static fn (): mixed => pg_connect("host=127.0.0.1 port=$at[garbage] user=postgres", PGSQL_CONNECT_FORCE_NEW),
    'redis: values' => static fn (): mixed => [($db = $redis())->set('a', "b\0"), $db->get('a'), $db->get('none'), $db->multi()->incr('n')->del('n')->exec()],
    'redis: 20 MB' => static fn (): mixed => [($db = $redis())->set('large', str_repeat('0123456789', 2_000_000)), md5($db->get('large'))],
    'redis: an error' => static fn (): mixed => [$redis()->incr('a'), ($db = $redis())->rawCommand('nonsense'), $db->getLastError()],
    'redis: refused' => static fn (): mixed => (new Redis())->connect('127.0.0.1', 1),
    'redis: another protocol' => static fn (): mixed => ($db = new Redis())->connect('127.0.0.1', $at['garbage']) && $db->get('a'),
    // Whether its end is there before the command is sent is up to the peer.
    'redis: closed at once' => static function () use ($at): mixed {
        $db = new Redis();
        $db->connect('127.0.0.1', $at['closing']);
        try {
            return $db->get('a');
        } catch (RedisException $lost) {
            return preg_replace('~^(?:Connection lost|read error on connection to \S+)$~', 'ended by the peer', $lost->getMessage());
        }
    },
    'redis: an answer that takes too long' => static fn (): mixed => ($db = new Redis())->connect('127.0.0.1', $at['redis'], 5, null, 0, 0.3) && $db->blPop('none', 20),
    'redis: wrong password' => static fn (): mixed => $redis()->auth('wrong'),
    'redis: subscribe' => static function () use ($redis): array {
        $got = [];
        $publisher = proc_open([PHP_BINARY, '-r', '$r = new Redis(); $r->connect("127.0.0.1", (int) $argv[1]); while ($r->publish("news", "text") === 0) usleep(10000);', (string) $GLOBALS['at']['redis']], [], $pipes);
        $listener = $redis();
        try {
            $listener->subscribe(['news'], static function (Redis $redis, string $channel, string $text) use (&$got): void {
                $got[] = [$channel, $text];
                $redis->close();
            });
        } catch (RedisException) {
        }
        proc_close($publisher);
        return $got;
    },
    'SQLite by PDO' => static function (): array {
        $db = new PDO("sqlite:{$GLOBALS['at']['folder']}/a.db");
        $db->exec('DROP TABLE IF EXISTS t');
        $db->exec('CREATE TABLE t (a INTEGER)');
        $db->beginTransaction();
        $statement = $db->prepare('INSERT INTO t VALUES (?)');
        foreach (range(1, 1000) as $i) {
            $statement->execute([$i]);
        }
        $db->commit();
        return [$db->query('SELECT SUM(a) FROM t')->fetchColumn(), said(static fn (): mixed => $db->query('SELEC'))];
    },
    'SQLite3' => static function (): mixed {
        $db = new SQLite3("{$GLOBALS['at']['folder']}/b.db");
        $db->exec('CREATE TABLE IF NOT EXISTS t (a INTEGER); INSERT INTO t VALUES (1)');
        return [$db->querySingle('SELECT COUNT(*) > 0 FROM t'), @$db->exec('SELEC'), $db->lastErrorMsg()];
    },
    'ODBC by PDO' => static fn (): mixed => (new PDO("odbc:$at[odbc]"))->query('SELECT 1 AS a, 2 AS b')->fetchAll(PDO::FETCH_ASSOC),
    'ODBC by PDO: syntax' => static fn (): mixed => (new PDO("odbc:$at[odbc]"))->query('SELEC 1'),
];

$descriptors = static fn (): int => count(scandir('/proc/self/fd') ?: []);
foreach ($scenarios as $name => $scenario) {
    Runtime::setHookFlags(0);
    $plain = said($scenario);
    $outside = $descriptors();
    Runtime::setHookFlags(SWOOLE_HOOK_ALL);
    $hooked = null;
    Coroutine\run(static function () use ($scenario, &$hooked): void {
        $hooked = said($scenario);
    });
    check("$name, as without", $plain, $hooked);
    $more = $descriptors() - $outside;
    // The loop of the first one stays.
    check("$name, nothing left behind", true, $more <= ($name === array_key_first($scenarios) ? 4 : 0) ?: $more);
}

/** @var array<string, callable(int): mixed> $crowds each gives its number, after a fifth of a second */
$crowds = [
    'PDO MySQL' => static function (int $i) use ($pdo): int {
        $statement = $pdo([PDO::ATTR_EMULATE_PREPARES => false])->prepare('SELECT SLEEP(0.2), ?');
        $statement->execute([$i]);
        return (int) $statement->fetch(PDO::FETCH_NUM)[1];
    },
    'mysqli' => static fn (int $i): int => (int) $mysqli()->query("SELECT SLEEP(0.2), $i")->fetch_row()[1],
    'PDO PostgreSQL' => static fn (int $i): int => (int) $pgPdo()->query("SELECT pg_sleep(0.2), $i")->fetch(PDO::FETCH_NUM)[1],
    'pgsql' => static fn (int $i): int => (int) pg_fetch_row(pg_query_params($pgsql(), 'SELECT pg_sleep(0.2), $1::int', [$i]))[1],
    'redis' => static fn (int $i): int => (($db = $redis())->set("n$i", $i) && $db->rawCommand('BLPOP', "none$i", '0.2') === []) ? (int) $db->get("n$i") : -1,
];
foreach ($crowds as $name => $crowd) {
    $results = [];
    $start = microtime(true);
    Coroutine\run(static function () use ($crowd, &$results): void {
        for ($i = 0; $i < 200; $i++) {
            Coroutine::create(static function () use ($crowd, $i, &$results): void {
                try {
                    $results[] = $crowd($i);
                } catch (Throwable $error) {
                    $results[] = $error->getMessage();
                }
            });
        }
    });
    sort($results);
    check("$name, 200 at once", range(0, 199), $results);
    $took = microtime(true) - $start;
    check("$name, they overlap", true, $took < 20 ?: $took);
}
Coroutine\run(static function () use ($at): void {
    $results = new Channel(50);
    $start = microtime(true);
    for ($i = 0; $i < 50; $i++) {
        Coroutine::create(static fn () => $results->push(said(static fn (): mixed => (new PDO("odbc:$at[odbc]"))->query("SELECT $i AS n")->fetchColumn())));
    }
    $sum = 0;
    for ($i = 0; $i < 50; $i++) {
        $sum += (int) json_decode((string) $results->pop(30), true)[0];
    }
    check('ODBC by PDO, 50 at once', array_sum(range(0, 49)), $sum);
});
$setup->exec('DROP TABLE unique_things');
$pgSetup->exec('DROP TABLE unique_things');
