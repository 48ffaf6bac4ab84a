<?php

declare(strict_types=1);

/* The checks of hooks_sqlite_test.php, in the folder that is given. */

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\WaitGroup;
use Swoole\Runtime;

$folder = $argv[1];

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => $name, 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}

/** What the work gives, or all messages of what it throws. */
function said(callable $work): mixed
{
    try {
        return $work();
    } catch (Throwable $error) {
        $text = '';
        for (; $error !== null; $error = $error->getPrevious()) {
            $text .= $error::class . ': ' . $error->getMessage() . "\n";
        }
        return $text;
    }
}

/** One interface for both of PHP's drivers. */
interface Driver
{
    public function exec(string $sql): mixed;
    public function rows(string $sql, array $values = []): mixed;
    public function one(string $sql): mixed;
}

final class ByPdo implements Driver
{
    public PDO $db;

    public function __construct(string $file, int $seconds = 30)
    {
        $this->db = new PDO("sqlite:$file", options: [PDO::ATTR_TIMEOUT => $seconds]);
    }

    public function exec(string $sql): mixed
    {
        return $this->db->exec($sql);
    }

    public function rows(string $sql, array $values = []): mixed
    {
        $statement = $this->db->prepare($sql);
        $statement->execute($values);
        return $statement->fetchAll(PDO::FETCH_NUM);
    }

    public function one(string $sql): mixed
    {
        return $this->db->query($sql)->fetchColumn();
    }
}

final class BySqlite3 implements Driver
{
    public SQLite3 $db;

    public function __construct(string $file, int $seconds = 30)
    {
        $this->db = new SQLite3($file);
        $this->db->enableExceptions(true);
        $this->db->busyTimeout($seconds * 1000);
    }

    public function exec(string $sql): mixed
    {
        return $this->db->exec($sql);
    }

    public function rows(string $sql, array $values = []): mixed
    {
        $statement = $this->db->prepare($sql);
        foreach ($values as $i => $value) {
            $statement->bindValue($i + 1, $value);
        }
        $result = $statement->execute();
        $rows = [];
        while (($row = $result->fetchArray(SQLITE3_NUM)) !== false) {
            $rows[] = $row;
        }
        return $rows;
    }

    public function one(string $sql): mixed
    {
        return $this->db->querySingle($sql);
    }
}

/** So many numbers, one after another. */
function numbers(int $count, string $select): string
{
    return "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < $count) SELECT $select FROM c";
}

/** What a coroutine that goes on all the time has seen while the work lasted: its turns, its longest pause as a part of the work's time. */
function beside(callable $work): array
{
    $end = new Channel(1);
    $turns = 0;
    $longest = 0.0;
    $last = $start = microtime(true);
    $group = new WaitGroup();
    $group->add();
    go(static function () use ($end, &$turns, &$longest, &$last, $group): void {
        while ($end->isEmpty()) {
            Coroutine::sleep(0.001);
            $now = microtime(true);
            $longest = max($longest, $now - $last);
            $last = $now;
            $turns++;
        }
        $group->done();
    });
    $result = $work();
    $end->push(true);
    $time = microtime(true) - $start;
    $turnsMeanwhile = $turns;
    $longestAtEnd = max($longest, microtime(true) - $last);
    $group->wait();
    return ['result' => $result, 'turns' => $turnsMeanwhile, 'longest' => $longestAtEnd / $time];
}

/** Until the condition holds, others go on. */
function until(callable $condition): bool
{
    $deadline = microtime(true) + 20;
    while (!$condition()) {
        if (microtime(true) > $deadline) {
            return false;
        }
        Coroutine::sleep(0.001);
    }
    return true;
}

/** All that the API can say, good and bad, as text: the same with and without the hooks. */
function everything(string $class, string $folder, string $run): array
{
    $file = "$folder/everything-$class-$run.db";
    $said = [];
    $warnings = [];
    set_error_handler(static function (int $level, string $text) use (&$warnings): bool {
        $warnings[] = $text;
        return true;
    });
    $db = new $class($file);
    $do = static function (callable $work) use (&$said): void {
        $said[] = said($work);
    };
    $do(static fn (): mixed => $db->exec('PRAGMA page_size = 1024; CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b BLOB, c REAL);; -- that is all'));
    $do(static fn (): mixed => $db->one('PRAGMA page_size'));
    $do(static fn (): mixed => $db->exec("INSERT INTO t (a, c) VALUES ('one', 1.5), ('two', NULL)"));
    $do(static fn (): mixed => $db->rows('SELECT * FROM t WHERE id >= ? ORDER BY id DESC', [1]));
    $do(static fn (): mixed => $db->rows('INSERT INTO t (a) VALUES (?), (?) RETURNING id, a', ['three', 'four']));
    $do(static fn (): mixed => $db->exec('SELEC nothing'));
    $do(static fn (): mixed => $db->rows('SELECT * FROM nowhere'));
    $do(static fn (): mixed => $db->exec("INSERT INTO t (a) VALUES ('one')"));
    $do(static fn (): mixed => $db->exec("INSERT INTO t (a) VALUES ('five'); INSERT INTO t (a) VALUES ('one'); INSERT INTO t (a) VALUES ('six')"));
    $do(static fn (): mixed => $db->exec('BEGIN'));
    $do(static fn (): mixed => $db->exec('BEGIN'));
    $do(static fn (): mixed => $db->exec('DELETE FROM t'));
    $do(static fn (): mixed => $db->exec('ROLLBACK'));
    $do(static fn (): mixed => $db->rows('SELECT count(*), max(a) FROM t'));
    $do(static fn (): mixed => $db->exec(''));
    $do(static fn (): mixed => $db->rows("SELECT CAST(x'00ff00' AS BLOB), 'a' || char(0) || 'b', 9007199254740993, 1e300, NULL"));
    $do(static fn (): mixed => $db->exec('VACUUM'));
    $do(static fn (): mixed => md5(serialize($db->rows(numbers(20_000, "x, 'number ' || x, x * 0.5")))));
    // Changed by somebody else between two runs of the same statement.
    $other = new $class($file);
    $statement = $db->db->prepare('SELECT * FROM t WHERE id = 1');
    $fetch = static function () use ($statement): mixed {
        $result = $statement->execute();
        return $result instanceof SQLite3Result ? $result->fetchArray(SQLITE3_NUM) : $statement->fetchAll(PDO::FETCH_NUM);
    };
    $do($fetch);
    $do(static fn (): mixed => $other->exec('ALTER TABLE t ADD COLUMN d DEFAULT 7'));
    $do($fetch);
    // A text that is long, values that are.
    $do(static fn (): mixed => $db->one("SELECT length('" . str_repeat('x', 100_000) . "')"));
    $do(static fn (): mixed => array_map(md5(...), $db->rows('SELECT ?', [str_repeat('y', 1_000_000)])[0]));
    unset($statement, $fetch, $other);
    file_put_contents("$folder/no-database-$run", str_repeat('this is none', 200));
    $do(static fn (): mixed => (new $class("$folder/no-database-$run"))->rows('SELECT * FROM t'));
    $do(static fn (): mixed => (new $class("$folder/no-folder/x.db"))->rows('SELECT 1'));
    $do(static function () use ($class, $file): mixed {
        $only = $class === ByPdo::class ? new PDO("sqlite:$file", options: [PDO::SQLITE_ATTR_OPEN_FLAGS => PDO::SQLITE_OPEN_READONLY]) : new SQLite3($file, SQLITE3_OPEN_READONLY);
        return @$only->exec('DELETE FROM t');
    });
    if ($db instanceof ByPdo) {
        $db->db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_WARNING);
        $do(static fn (): mixed => [$db->db->exec('nonsense'), $db->db->errorInfo()]);
        $do(static fn (): mixed => $db->db->query('SELECT 1 AS a, 2 AS b')->getColumnMeta(1));
        $do(static fn (): mixed => [$db->db->beginTransaction(), $db->exec("INSERT INTO t (a) VALUES ('seven')"), $db->db->lastInsertId(), $db->db->inTransaction(), $db->db->commit()]);
        $do(static function () use ($db): mixed {
            $rows = [];
            foreach ($db->db->query('SELECT a FROM t ORDER BY a') as $row) {
                $rows[] = $row;
                if (count($rows) === 2) {
                    break;
                }
            }
            return $rows;
        });
    } else {
        $db->db->enableExceptions(false);
        $do(static fn (): mixed => [$db->exec('nonsense'), $db->db->lastErrorCode(), $db->db->lastErrorMsg(), $db->db->lastExtendedErrorCode()]);
        $do(static fn (): mixed => [$db->exec("INSERT INTO t (a) VALUES ('seven')"), $db->db->lastInsertRowID(), $db->db->changes()]);
        $do(static function () use ($db): mixed {
            $db->exec("INSERT INTO t (id, b) VALUES (100, zeroblob(20))");
            $stream = $db->db->openBlob('t', 'b', 100, 'main', SQLITE3_OPEN_READWRITE);
            $written = fwrite($stream, 'written');
            fclose($stream);
            return [$written, stream_get_contents($db->db->openBlob('t', 'b', 100))];
        });
        $do(static function () use ($db): mixed {
            $copy = new SQLite3(':memory:');
            return [$db->db->backup($copy), $copy->querySingle('SELECT count(*) FROM t')];
        });
        $do(static function () use ($db): mixed {
            $db->db->setAuthorizer(static fn (int $action, ?string $one): int => $one === 't' ? SQLite3::DENY : SQLite3::OK);
            $results = [$db->one('SELECT a FROM t'), $db->exec('DELETE FROM t'), $db->one('SELECT 5')];
            $db->db->setAuthorizer(null);
            return $results;
        });
        $do(static fn (): mixed => $db->db->close());
    }
    restore_error_handler();
    return json_decode((string) json_encode(['said' => $said, 'warnings' => $warnings], JSON_INVALID_UTF8_SUBSTITUTE), true);
}

$different = static function (array $expected, array $actual): array {
    return array_filter(array_map(static fn (mixed $one, mixed $other): ?array => $one === $other ? null : [$one, $other], [...$expected['said'], ...$expected['warnings']], [...$actual['said'], ...$actual['warnings']]));
};
$plain = [];
foreach ([ByPdo::class, BySqlite3::class] as $class) {
    $plain[$class] = str_replace('-plain', '', json_encode(everything($class, $folder, 'plain')));
}

/** @param class-string<Driver> $class */
$checks = static function (string $class) use ($folder, $plain, $different): void {
    $file = "$folder/$class.db";
    $db = new $class($file);
    $db->exec('PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)');

    foreach (['on', 'off'] as $state) {
        Runtime::setHookFlags($state === 'on' ? SWOOLE_HOOK_ALL : 0);
        $now = json_decode(str_replace("-$state", '', json_encode(everything($class, $folder, $state))), true);
        check("$class: results, warnings and exceptions with the hooks $state", [], $different(json_decode($plain[$class], true), $now));
    }
    Runtime::setHookFlags(SWOOLE_HOOK_ALL);
    $db = new $class($file);

    // A single step of the library's machine that lasts: nothing but a thread lets others go on.
    $long = 'SELECT length(hex(zeroblob(60000000)) || hex(zeroblob(60000000)))';
    for ($try = 0; $try < 3; $try++) {
        $seen = beside(static fn (): mixed => $db->one($long));
        if ($seen['longest'] < 0.5) {
            break;
        }
    }
    check("$class: a query that lasts", 240000000, (int) $seen['result']);
    check("$class: others go on beside it", true, $seen['longest'] < 0.5 ?: $seen);

    Runtime::setHookFlags(SWOOLE_HOOK_ALL & ~(int) constant('SWOOLE_HOOK_PDO_SQLITE'));
    $other = new $class($file);
    check("$class: without the flag nobody does", 0, beside(static fn (): mixed => $other->one(numbers(100_000, 'sum(x)')))['turns']);
    Runtime::setHookFlags(SWOOLE_HOOK_ALL);
    $db = new $class($file);

    $seen = beside(static fn (): mixed => $db->rows(numbers(1_000_000, 'x') . ' WHERE x % 500000 = 1'));
    check("$class: what lies between rows", [[1], [500001]], $seen['result']);
    check("$class: others go on meanwhile", true, $seen['turns'] > 2 ?: $seen);

    $db->exec('CREATE TABLE many AS ' . numbers(300_000, 'x'));
    $seen = beside(static fn (): mixed => count($db->rows('SELECT x FROM many')));
    check("$class: many rows", 300_000, $seen['result']);
    check("$class: others go on between them", true, $seen['turns'] > 2 ?: $seen);

    $group = new WaitGroup();
    $sums = [];
    $seen = beside(static function () use ($class, $file, $group, &$sums): void {
        for ($i = 0; $i < 50; $i++) {
            $group->add();
            go(static function () use ($class, $file, $group, $i, &$sums): void {
                $sums[$i] = (int) (new $class($file))->one(numbers(20_000 + $i, 'sum(x)'));
                $group->done();
            });
        }
        $group->wait();
    });
    ksort($sums);
    check("$class: 50 at once", array_map(static fn (int $i): int => (20_000 + $i) * (20_001 + $i) / 2, range(0, 49)), $sums);
    check("$class: others go on beside them", true, $seen['turns'] > 2 ?: $seen);

    // More of them wait for the lock than there are threads; the one that holds it must get on.
    $db->exec('BEGIN IMMEDIATE');
    $begun = $ended = 0;
    for ($i = 0; $i < 40; $i++) {
        $group->add();
        go(static function () use ($class, $file, $group, &$begun, &$ended): void {
            $own = new $class($file);
            $begun++;
            $own->exec("INSERT INTO t (a) VALUES ('other')");
            $ended++;
            $group->done();
        });
    }
    until(static function () use (&$begun): bool {
        return $begun === 40;
    });
    for ($i = 0; $i < 20; $i++) {
        $db->exec("INSERT INTO t (a) VALUES ('holder')");
    }
    check("$class: the holder of the lock works while 40 wait for it", [20, 0], [(int) $db->one('SELECT count(*) FROM t'), $ended]);
    $db->exec('COMMIT');
    $group->wait();
    check("$class: then all others have it", [40, 60], [$ended, (int) $db->one('SELECT count(*) FROM t')]);

    $db->exec('BEGIN IMMEDIATE');
    $impatient = new $class($file, 0);
    check("$class: without patience", 1, preg_match('~database is locked~', (string) said(static fn (): mixed => $impatient->exec('DELETE FROM t'))));

    // Cancelled: while it waits for the lock, and while it works, with its first call and with a later one.
    foreach (['lock' => 'DELETE FROM t', 'work' => numbers(2_000_000_000, 'count(*)')] as $why => $sql) {
        foreach (['first', 'later'] as $which) {
            $own = new $class($file, 60);
            if ($which === 'later') {
                $own->one('SELECT count(*) FROM t');
            }
            $answer = new Channel(1);
            $cid = go(static function () use ($own, $sql, $answer): void {
                $answer->push([said(static fn (): mixed => $own->rows($sql)), Coroutine::isCanceled()]);
            });
            $start = microtime(true);
            check("$class: cancelled in its $which call, $why", true, Coroutine::cancel($cid));
            [$text, $isCancelled] = $answer->pop(20.0);
            check("$class: the $which call fails, $why", 1, preg_match($why === 'lock' ? '~database is locked|interrupted~' : '~interrupted~', (string) json_encode($text)) ?: $text);
            check("$class: and soon, $which, $why", true, microtime(true) - $start < 5 ?: microtime(true) - $start);
            check("$class: and is told why, $which, $why", true, $isCancelled);
            check("$class: the connection is as good as before, $which, $why", 1, (int) $own->one('SELECT 1'));
        }
    }
    $db->exec('ROLLBACK');

    // Closed while others open: the library uses its memory again.
    $opened = 0;
    for ($i = 0; $i < 50; $i++) {
        $group->add();
        go(static function () use ($class, $file, $group, &$opened): void {
            for ($j = 0; $j < 10; $j++) {
                $opened += (int) (new $class($file))->one('SELECT 1');
            }
            $group->done();
        });
    }
    $group->wait();
    check("$class: opened and closed by many", 500, $opened);

    // Several on one connection: one after another.
    $statement = $db->db->prepare('SELECT id FROM t ORDER BY id');
    $result = $statement->execute();
    $spare = $db->db->prepare('SELECT 2');
    $answer = new Channel(1);
    $order = [];
    $begin = static function () use ($db, $answer, &$order): void {
        go(static function () use ($db, $answer, &$order): void {
            $count = said(static fn (): mixed => (int) $db->one(numbers(300_000, 'count(*)')));
            $order[] = 'first';
            $answer->push($count);
        });
    };
    $begin();
    check("$class: the second on a connection waits for the first", [[1]], said(static fn (): mixed => $db->rows('SELECT 1')));
    $order[] = 'second';
    check("$class: which has its result", [300_000, ['first', 'second']], [$answer->pop(20.0), $order]);
    $uses = $db instanceof ByPdo
        ? [static fn (): mixed => $statement->fetch(), static fn (): mixed => $spare->execute(), static fn (): mixed => $db->exec('DELETE FROM t WHERE 0'), static fn (): mixed => $db->db->lastInsertId(),
            static fn (): mixed => $db->db->sqliteCreateFunction('f', 'strlen'), static fn (): mixed => $statement->closeCursor(), static fn (): mixed => $db->db->beginTransaction(), static fn (): mixed => $db->db->rollBack()]
        : [static fn (): mixed => $result->fetchArray(), static fn (): mixed => $spare->execute(), static fn (): mixed => $db->exec('DELETE FROM t WHERE 0'), static fn (): mixed => $db->db->lastInsertRowID(),
            static fn (): mixed => $db->db->createFunction('f', 'strlen'), static fn (): mixed => $statement->reset()];
    foreach ($uses as $i => $use) {
        $begin();
        $text = said($use);
        check("$class: and so does whatever else it does, $i", [false, 300_000], [is_string($text) && str_contains($text, 'rror'), $answer->pop(20.0)]);
    }
    $begin();
    $late = go(static fn () => $order[] = said(static fn (): mixed => $db->rows('SELECT 1')));
    Coroutine::cancel($late);
    check("$class: waiting can be cancelled", [300_000, false], [$answer->pop(20.0), Coroutine::exists($late)]);
    $many = [];
    $group->add(40);
    for ($i = 0; $i < 40; $i++) {
        go(static function () use ($db, $group, $i, &$many): void {
            for ($j = 0; $j < 10; $j++) {
                $many[] = (int) $db->one("SELECT $i * 10 + $j") === $i * 10 + $j;
            }
            $group->done();
        });
    }
    $group->wait();
    check("$class: and many of them", [400], [count(array_filter($many))]);
    if ($db instanceof BySqlite3) {
        $begin();
        check("$class: closing what another one uses is refused", 1, preg_match('~Swoole\\\\Error: The connection to SQLite has already been bound to another coroutine#\d+, which is waiting for a reply in \S+hooks_sqlite.php:\d+; closing of the same connection in coroutine#\d+ at the same time, in \S+hooks_sqlite.php:\d+, is not~', (string) said(static fn (): mixed => $db->db->close())));
        check("$class: ... and leaves it unharmed", 300_000, $answer->pop(20.0));
    }
    $begin();
    unset($uses, $use, $spare, $result, $statement); // ends of objects never fail
    check("$class: the first has its answer", 300_000, $answer->pop(20.0));
    check("$class: afterwards it is anybody's", [[1]], said(static fn (): mixed => $db->rows('SELECT 1')));
    if ($db instanceof BySqlite3) {
        check("$class: nothing is left on it", true, $db->db->close());
    }

    // Functions of the script.
    $db = new $class($file);
    $cid = Coroutine::getCid();
    $seen = [];
    $function = static function (int $x) use (&$seen): int {
        $seen[] = Coroutine::getCid();
        Coroutine::sleep(0.001);
        return $x * 2;
    };
    $db instanceof ByPdo ? $db->db->sqliteCreateFunction('twice', $function) : $db->db->createFunction('twice', $function);
    $order = static fn (string $one, string $other): int => strlen($one) <=> strlen($other);
    $db instanceof ByPdo ? $db->db->sqliteCreateCollation('by_length', $order) : $db->db->createCollation('by_length', $order);
    check("$class: functions", [[2], [4], [6]], $db->rows(numbers(3, 'twice(x)')));
    check("$class: run in the coroutine", [$cid], array_unique($seen));
    check("$class: collations", [['a'], ['bb'], ['ccc']], $db->rows("SELECT * FROM (VALUES ('ccc'), ('a'), ('bb')) ORDER BY 1 COLLATE by_length"));
    go(static function () use ($db, $answer): void {
        $answer->push($db->rows(numbers(20, 'sum(twice(x))')));
    });
    check("$class: a second one while the first is in a function", [[1]], said(static fn (): mixed => $db->rows('SELECT 1')));
    check("$class: does not disturb it", [[420]], $answer->pop(20.0));
    $seen = beside(static fn (): mixed => $db->rows(numbers(1_000_000, 'count(*)')));
    check("$class: a long query here lets others go on, too", true, $seen['turns'] > 2 ?: $seen);

    // A value that another coroutine changes while the thread reads it.
    $db = new $class($file);
    $value = str_repeat('v', 500_000);
    $statement = $db->db->prepare('SELECT length(hex(hex(?1))) + (' . numbers(200_000, 'count(*)') . ') + length(replace(?1, \'v\', \'\'))');
    $statement->bindParam(1, $value, $db instanceof ByPdo ? PDO::PARAM_STR : SQLITE3_TEXT);
    go(static function () use ($statement, $answer): void {
        $result = $statement->execute();
        $answer->push((int) ($result instanceof SQLite3Result ? $result->fetchArray(SQLITE3_NUM)[0] : $statement->fetchColumn()));
    });
    $value = str_repeat('w', 7);
    $garbage = array_map(static fn (int $i): string => str_repeat(chr(65 + $i % 26), 500_000), range(1, 20));
    check("$class: a value that is changed meanwhile", [20, 2_200_000], [count($garbage), $answer->pop(20.0)]);
};

Coroutine\run(static function () use ($checks): void {
    foreach ([ByPdo::class, BySqlite3::class] as $class) {
        $checks($class);
    }
});
