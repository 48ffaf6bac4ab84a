<?php

declare(strict_types=1);

/* The checks of database_pools_test.php: pools of connections while things go wrong. A check is a line of JSON. */

use Swoole\Coroutine;
use Swoole\Coroutine\WaitGroup;
use Swoole\Database\MysqliConfig;
use Swoole\Database\MysqliPool;
use Swoole\Database\PDOConfig;
use Swoole\Database\PDOPool;
use Swoole\Database\PDOProxy;
use Swoole\Database\RedisConfig;
use Swoole\Database\RedisPool;

/** @var array{mysql: int, pg: int, redis: int, mysqlProxy: int, pgProxy: int, mysqlControl: string, pgControl: string} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);

function check(string $name, mixed $expected, mixed $actual): void
{
    global $kind;
    echo json_encode(['name' => "$kind: $name", 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION), "\n";
}

function eventually(callable $condition): bool
{
    for ($i = 0; $i < 500; $i++) {
        if ($condition()) {
            return true;
        }
        Coroutine::sleep(0.02);
    }
    return false;
}

/** The class of what is thrown, or what is given. */
function after(callable $work): mixed
{
    try {
        return $work();
    } catch (Throwable $error) {
        return $error::class;
    }
}

function control(string $address, string $line): int
{
    $socket = stream_socket_client($address, $code, $message, 10) ?: throw new Exception($message);
    fwrite($socket, "$line\n");
    return (int) fgets($socket);
}

/** Runs so many at once and gives what they give, in the order in which they came to an end. @return list<mixed> */
function together(int $count, callable $work): array
{
    $group = new WaitGroup();
    $results = [];
    for ($i = 0; $i < $count; $i++) {
        $group->add();
        Coroutine::create(static function () use ($group, $work, $i, &$results): void {
            $results[] = after(static fn (): mixed => $work($i));
            $group->done();
        });
    }
    $group->wait();
    return $results;
}

/** @param array<string, string> $sql */
function pdo(PDOConfig $direct, PDOConfig $proxied, string $control, array $sql): void
{
    $admin = new PDOPool($direct, 1);
    $ask = static function (string $query) use ($admin): mixed {
        $pdo = $admin->get();
        $value = $pdo->query($query)->fetchColumn();
        $admin->put($pdo);
        return $value;
    };
    $connections = static fn (): int => (int) $ask($sql['connections']);
    $start = $connections();
    $pool = new PDOPool($direct, 4);
    $pdo = $pool->get();
    $pdo->exec('DROP TABLE IF EXISTS pooled');
    $pdo->exec('CREATE TABLE pooled (n INT)');
    check('given back inside a transaction', [true, true], [$pdo->beginTransaction(), $pdo->exec('INSERT INTO pooled VALUES (1)') === 1]);
    $pool->put($pdo);
    check('is rolled back at once', 0, (int) $ask('SELECT COUNT(*) FROM pooled'));
    $pdo->exec($sql['begin']);
    $again = $pool->get();
    check('and not shared dirty', [false, true], [$again->inTransaction(), $again === $pdo]);
    $again->exec($sql['begin']);
    $again->exec('INSERT INTO pooled VALUES (1)');
    $pool->put($again);
    check('begun by a statement', 0, (int) $ask('SELECT COUNT(*) FROM pooled'));
    $failed = $pool->get();
    $failed->beginTransaction();
    after(static fn (): mixed => $failed->query('SELEC'));
    $pool->put($failed);
    $again = $pool->get();
    check('given back after an error in a transaction', [false, '1'], [$again->inTransaction(), (string) after(static fn (): mixed => $again->query('SELECT 1')->fetchColumn())]);
    array_map($again->setAttribute(...), array_keys($sql['unbuffered']), $sql['unbuffered']);
    $half = $again->query('SELECT 1 UNION SELECT 2');
    $half->fetch();
    $pool->put($again);
    $again = $pool->get();
    check('with results that nobody read', '5', (string) after(static fn (): mixed => $again->query('SELECT 5')->fetchColumn()));
    array_map($again->setAttribute(...), array_keys($sql['unbuffered']), array_map(static fn (bool $is): bool => !$is, $sql['unbuffered']));
    $again->exec($sql['leave']);
    $pool->put($again);
    $again = $pool->get();
    check('what the session has stays', $sql['left'], (string) $again->query($sql['what'])->fetchColumn());
    $pool->setCleanup($sql['cleanup']);
    $pool->put($again);
    $again = $pool->get();
    check('unless it is cleaned up', $sql['usual'], (string) $again->query($sql['what'])->fetchColumn());
    $pool->setCleanup('SELEC');
    $made = $pool->stats()['num'];
    $pool->put($again);
    check('a cleanup that fails drops the connection', $made - 1, $pool->stats()['num']);
    $pool->setCleanup('');
    unset($failed, $again, $half);
    $pdo = $pool->get();
    $pool->put($pdo);
    $warnings = [];
    set_error_handler(static function (int $level, string $message) use (&$warnings): bool {
        $warnings[] = $message;
        return true;
    });
    $pool->put($pdo);
    restore_error_handler();
    check('given back twice', [1, 1], [count($warnings), $pool->stats()['idle']]);
    unset($pdo);

    // Lost connections.
    $pdo = $pool->get();
    $kill = static fn (PDOProxy $pdo): mixed => $ask(sprintf($sql['kill'], $pdo->query($sql['id'])->fetchColumn()));
    $pdo->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_NUM);
    $statement = $pdo->prepare('SELECT n, 5 FROM pooled WHERE n = ?');
    $pdo->exec('INSERT INTO pooled VALUES (7)');
    $kill($pdo);
    $wanted = 7;
    $statement->bindParam(1, $wanted, PDO::PARAM_INT);
    check('a read is done again', [[[7, 5]], 1], [json_decode(strtr((string) json_encode(after(static function () use ($statement): array {
        $statement->execute();
        return $statement->fetchAll();
    })), ['"7"' => '7', '"5"' => '5'])), $pdo->getRound()]);
    check('with its attributes', PDO::FETCH_NUM, $pdo->getAttribute(PDO::ATTR_DEFAULT_FETCH_MODE));
    check('and its character set', $sql['encoding'], $pdo->query($sql['charset'])->fetchColumn());
    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO pooled VALUES (8)');
    $kill($pdo);
    check('inside a transaction nothing is', ['PDOException', 'PDOException', true, 1], [after(static fn (): mixed => $pdo->exec('INSERT INTO pooled VALUES (9)')), after(static fn (): mixed => $pdo->query('SELECT 1')), $pdo->inTransaction(), $pdo->getRound()]);
    after(static fn (): mixed => $pdo->rollBack());
    check('until it was ended', [1, 2], [(int) $pdo->query('SELECT COUNT(*) FROM pooled')->fetchColumn(), $pdo->getRound()]);
    $kill($pdo);
    Coroutine::sleep(1.1);
    check('after a rest it is tried before a write', [1, 2], [$pdo->exec('INSERT INTO pooled VALUES (10)'), (int) $pdo->query('SELECT COUNT(*) FROM pooled')->fetchColumn()]);
    $pdo->beginTransaction();
    $kill($pdo);
    after(static fn (): mixed => $pdo->query('SELECT 1'));
    $pool->put($pdo);
    unset($pdo, $statement);
    check('a dead one is dropped', ['num' => 0, 'idle' => 0, 'lent' => 0], array_intersect_key($pool->stats(), ['num' => 0, 'idle' => 0, 'lent' => 0]));

    // A coroutine that ends with one in hand.
    $cid = Coroutine::create(static function () use ($pool, $sql): void {
        $pdo = $pool->get();
        $pdo->beginTransaction();
        $pdo->exec('INSERT INTO pooled VALUES (11)');
        after(static fn (): mixed => $pdo->query($sql['sleep']));
    });
    check('asleep', true, eventually(static fn (): bool => (int) $ask($sql['sleeping']) > 0));
    check('cancelled', true, Coroutine::cancel($cid));
    check('its work is undone, its connection gone', [true, 2, true], [eventually(static fn (): bool => $connections() <= $start), (int) $ask('SELECT COUNT(*) FROM pooled'), $pool->stats()['num'] === 0]);
    eventually(static fn (): bool => (int) $ask($sql['sleeping']) === 0);
    $cid = Coroutine::create(static function () use ($pool, $sql): void {
        $pdo = $pool->get();
        after(static fn (): mixed => $pdo->query($sql['sleep']));
        $pool->put($pdo);
    });
    eventually(static fn (): bool => (int) $ask($sql['sleeping']) > 0);
    Coroutine::cancel($cid);
    $pdo = $pool->get();
    check('given back in the middle of an answer', '42', (string) after(static fn (): mixed => $pdo->query('SELECT 42')->fetchColumn()));
    $pool->put($pdo);
    unset($pdo);

    // Many for few.
    $order = together(20, static function (int $i) use ($pool, $sql): int {
        $pdo = $pool->get();
        $pdo->query($sql['nap']);
        $pool->put($pdo);
        return $i;
    });
    check('as many as there may be', 4, $pool->stats()['num']);
    sort($order);
    check('everybody had one', range(0, 19), $order);
    $held = array_map(static fn (): mixed => $pool->get(), range(1, 4));
    check('the wait is over in time', false, $pool->get(0.05));
    array_map($pool->put(...), $held);
    unset($held);
    $pool->close();
    check('closed', true, eventually(static fn (): bool => $connections() <= $start));

    // The network between.
    $far = new PDOPool($proxied, 2);
    control($control, 'hang');
    $start = microtime(true);
    check('a server that hangs', ['Swoole\Coroutine\TimeoutException', 'PDOException'], together(2, static function (int $i) use ($far): mixed {
        if ($i === 0) {
            Coroutine::setTimeLimit(0.3);
            try {
                return $far->get()->query('SELECT 1');
            } catch (Throwable $error) {
                // The driver may say something of its own about it.
                throw $error->getPrevious() ?? $error;
            }
        }
        Coroutine::sleep(0.5);
        throw new PDOException('this one goes on');
    }));
    check('in time', true, microtime(true) - $start < 10);
    check('leaves its place', 0, $far->stats()['num']);
    control($control, 'pass');
    $pdo = $far->get();
    check('works', '1', (string) $pdo->query('SELECT 1')->fetchColumn());
    control($control, 'hang');
    check('hangs in the middle', [true], together(1, static function () use ($far, $pdo): mixed {
        try {
            Coroutine::setTimeLimit(0.3);
            return $pdo->query('SELECT 1')->fetchColumn();
        } catch (Coroutine\TimeoutException) {
            $far->put($pdo);
            return true;
        }
    }));
    unset($pdo);
    control($control, 'pass');
    $pdo = $far->get();
    check('and nobody gets what was meant for another', '2', (string) $pdo->query('SELECT 2')->fetchColumn());
    control($control, 'latency 200');
    $start = microtime(true);
    check('slow for one', '3', (string) $pdo->query('SELECT 3')->fetchColumn());
    check('is slow', true, microtime(true) - $start >= 0.2);
    control($control, 'pass');
    control($control, 'cut 20');
    check('stops in the middle', 'PDOException', after(static fn (): mixed => $pdo->exec("INSERT INTO pooled VALUES (12), (13)") . $pdo->query("SELECT 'a long answer that does not arrive'")->fetchColumn()));
    control($control, 'pass');
    check('and is there again', '4', (string) $pdo->query('SELECT 4')->fetchColumn());
    control($control, 'swallow');
    check('done, but the answer is lost', 'PDOException', after(static fn (): mixed => $pdo->exec('INSERT INTO pooled VALUES (15)')));
    check('is not done twice', [1, 1], [(int) $pdo->query('SELECT COUNT(*) FROM pooled WHERE n = 15')->fetchColumn(), (int) $ask('SELECT COUNT(*) FROM pooled WHERE n = 15')]);
    control($control, 'swallow');
    check('but a question is asked twice', 1, (int) after(static fn (): mixed => $pdo->query('SELECT COUNT(*) FROM pooled WHERE n = 15')->fetchColumn()));
    control($control, 'reset');
    check('reset', 'PDOException', after(static fn (): mixed => $pdo->exec('INSERT INTO pooled VALUES (14)')));
    check('and again', 'PDOException', after(static fn (): mixed => $pdo->query('SELECT 1')));
    $far->put($pdo);
    unset($pdo);
    check('dropped', 0, $far->stats()['num']);
    check('while it is down', 'PDOException', after(static fn (): mixed => $far->get()));
    control($control, 'pass');
    check('and up', '5', (string) after(static fn (): mixed => $far->get()->query('SELECT 5')->fetchColumn()));
    control($control, 'garbage');
    check('garbage', 'PDOException', after(static fn (): mixed => $far->get()));
    $there = 0;
    for ($end = microtime(true) + 10; ($there = control($control, 'pass')) > 0 && microtime(true) < $end;) { // the proxy has yet to see the end
        Coroutine::sleep(0.005);
    }
    check('nothing left', [0, 0], [$far->stats()['num'], $there]);
    $far->close();
    $pdo = $admin->get();
    $pdo->exec('DROP TABLE pooled');
    $admin->put($pdo);
}

$kind = 'PDO MySQL proxy';
$alone = new PDOProxy(static fn (): PDO => new PDO("mysql:host=127.0.0.1;port=$at[mysql]", 'root', ''));
(new PDO("mysql:host=127.0.0.1;port=$at[mysql]", 'root', ''))->exec('KILL ' . $alone->query('SELECT CONNECTION_ID()')->fetchColumn());
check('outside coroutines', [[['b' => 2]], 1], [iterator_to_array($alone->query('SELECT 2 AS b', PDO::FETCH_ASSOC)), $alone->getRound()]);
unset($alone);

Coroutine\run(static function () use ($at): void {
    global $kind;
    $before = count(scandir('/proc/self/fd') ?: []);
    $kind = 'PDO MySQL pool';
    $mysql = static fn (string $port): PDOConfig => (new PDOConfig())->withPort($at[$port])->withDbname('test')->withPassword('');
    (new PDO("mysql:host=127.0.0.1;port=$at[mysql]", 'root', ''))->exec('CREATE DATABASE IF NOT EXISTS test');
    pdo($mysql('mysql'), $mysql('mysqlProxy'), $at['mysqlControl'], [
        'connections' => "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'root'", 'begin' => 'START TRANSACTION', 'id' => 'SELECT CONNECTION_ID()',
        'kill' => 'KILL %d', 'charset' => 'SELECT @@character_set_client', 'encoding' => 'utf8mb4', 'sleep' => 'SELECT SLEEP(30)', 'nap' => 'SELECT SLEEP(0.02)',
        'sleeping' => "SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User sleep'",
        'unbuffered' => [PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false], 'leave' => 'SET SESSION sort_buffer_size = 65536', 'what' => 'SELECT @@sort_buffer_size = @@GLOBAL.sort_buffer_size',
        'left' => '0', 'cleanup' => 'SET SESSION sort_buffer_size = DEFAULT', 'usual' => '1',
    ]);
    $kind = 'PDO PostgreSQL pool';
    $pg = static fn (string $port): PDOConfig => (new PDOConfig())->withDriver('pgsql')->withPort($at[$port])->withDbname('postgres')->withUsername('postgres')->withPassword('');
    pdo($pg('pg'), $pg('pgProxy'), $at['pgControl'], [
        'connections' => "SELECT COUNT(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND (state <> 'active' OR pid = pg_backend_pid())", 'begin' => 'BEGIN', 'id' => 'SELECT pg_backend_pid()',
        'kill' => 'SELECT pg_terminate_backend(%d, 5000)', 'charset' => 'SHOW client_encoding', 'encoding' => 'UTF8', 'sleep' => 'SELECT pg_sleep(3)', 'nap' => 'SELECT pg_sleep(0.02)',
        'sleeping' => "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'",
        'unbuffered' => [], 'leave' => 'LISTEN news; CREATE TEMPORARY TABLE left_behind (n INT)', 'what' => "SELECT (SELECT COUNT(*) FROM pg_listening_channels()) + (SELECT COUNT(*) FROM pg_class WHERE relname = 'left_behind')",
        'left' => '2', 'cleanup' => 'RESET ALL; UNLISTEN *; DISCARD TEMP', 'usual' => '0',
    ]);

    $kind = 'MySQL faults';
    $pool = new PDOPool($mysql('mysql'), 2);
    $pdo = $pool->get();
    $admin = $pool->get();
    $admin->exec('CREATE TABLE faults (n INT)');
    $pdo->exec('SET SESSION wait_timeout = 1');
    Coroutine::sleep(2.5);
    check('closed by the server while idle, then written to', [1, 1, '1'], [$pdo->exec('INSERT INTO faults VALUES (1)'), $pdo->getRound(), (string) $pdo->query('SELECT COUNT(*) FROM faults')->fetchColumn()]);
    $admin->exec("CREATE USER limited@'%' IDENTIFIED BY 'secret'");
    $admin->exec('GRANT ALL ON test.* TO limited');
    $admin->exec('GRANT SELECT ON *.* TO limited WITH MAX_USER_CONNECTIONS 1');
    $limited = new PDOPool($mysql('mysql')->withUsername('limited')->withPassword('secret'), 2);
    $one = $limited->get();
    check('too many connections', ['PDOException', 1], [after(static fn (): mixed => $limited->get()), $limited->stats()['num']]);
    $admin->exec('SET GLOBAL read_only = 1');
    $round = $one->getRound();
    $refused = '';
    try {
        $one->exec('INSERT INTO faults VALUES (2)');
    } catch (PDOException $error) {
        $refused = $error->getMessage();
    }
    $admin->exec('SET GLOBAL read_only = 0');
    check('a server that became read-only is left for another, once', [true, true], [str_contains($refused, '--read-only') || str_contains($refused, '1226'), $one->getRound() >= $round]);
    unset($one);
    $rows = null;
    for ($end = microtime(true) + 10; $rows === null && microtime(true) < $end;) { // the server counts the connection until its thread has seen the end
        try {
            $rows = $limited->get()->exec('INSERT INTO faults VALUES (3)');
        } catch (PDOException $error) {
            str_contains($error->getMessage(), '1226') || throw $error;
            Coroutine::sleep(0.005);
        }
    }
    check('writable again', 1, $rows);
    $limited->close();
    $admin->exec('DROP TABLE faults');
    $pool->close();
    unset($pdo, $admin, $error);

    $kind = 'mysqli pool';
    $pool = new MysqliPool((new MysqliConfig())->withPort($at['mysql'])->withDbname('test')->withPassword(''), 2);
    $mysqli = $pool->get();
    $admin = $pool->get();
    $admin->query('CREATE TABLE pooled (n INT)');
    foreach (['begin_transaction' => [], 'autocommit' => [false], 'query' => ['START TRANSACTION']] as $method => $arguments) {
        $mysqli->{$method}(...$arguments);
        $mysqli->query('INSERT INTO pooled VALUES (1)');
        $pool->put($mysqli);
        $mysqli = $pool->get();
        check("given back after $method", ['0', '1'], [$admin->query('SELECT COUNT(*) FROM pooled')->fetch_row()[0], $mysqli->query('SELECT @@autocommit')->fetch_row()[0]]);
    }
    $mysqli->set_charset('latin1');
    $statement = $mysqli->prepare('SELECT ? + 1');
    $n = 4;
    $statement->bind_param('i', $n);
    $admin->query('KILL ' . $mysqli->thread_id);
    $n = 5;
    check('a read is done again', [true, 6, 1], [$statement->execute(), (int) $statement->get_result()->fetch_row()[0], $mysqli->getRound()]);
    check('with its character set', 'latin1', $mysqli->query('SELECT @@character_set_client')->fetch_row()[0]);
    $mysqli->begin_transaction();
    $admin->query('KILL ' . $mysqli->thread_id);
    check('not inside a transaction', ['mysqli_sql_exception', 'mysqli_sql_exception', 1], [after(static fn (): mixed => $mysqli->query('SELECT 1')), after(static fn (): mixed => $mysqli->query('SELECT 1')), $mysqli->getRound()]);
    after(static fn (): mixed => $mysqli->rollback());
    check('but after it', ['1', 2], [$mysqli->query('SELECT 1')->fetch_row()[0], $mysqli->getRound()]);
    $mysqli->real_query('SELECT 1 UNION SELECT 2');
    $pool->put($mysqli);
    unset($mysqli, $statement);
    $mysqli = $pool->get();
    check('results that nobody read', '3', $mysqli->query('SELECT 3')->fetch_row()[0]);
    $mysqli->query('SET @mine = 1');
    $pool->setCleanup('SET @mine = NULL')->put($mysqli);
    $mysqli = $pool->get();
    check('cleaned up', null, $mysqli->query('SELECT @mine')->fetch_row()[0]);
    $pool->setCleanup('');
    $admin->query('DROP TABLE pooled');
    $pool->close();
    check('nobody there', 'mysqli_sql_exception', after(static fn (): mixed => (new MysqliPool((new MysqliConfig())->withPort(1), 1))->get()));
    unset($mysqli, $admin);

    $kind = 'redis pool';
    $pool = new RedisPool((new RedisConfig())->withPort($at['redis'])->withDbIndex(2), 1);
    $redis = $pool->get();
    $redis->set('a', '1');
    $redis->select(0);
    $redis->multi();
    $redis->set('a', '2');
    $pool->put($redis);
    $redis = $pool->get();
    check('given back inside MULTI, in another database', [Redis::ATOMIC, 2, '1'], [$redis->getMode(), $redis->getDBNum(), $redis->get('a')]);
    $redis->pipeline()->set('a', '3');
    $pool->put($redis);
    check('given back inside a pipeline', '1', $pool->get()->get('a'));
    check('nobody there', 'RedisException', after(static fn (): mixed => (new RedisPool((new RedisConfig())->withPort(1), 1))->get()));
    $pool->close();
    unset($pool, $redis);

    $kind = 'pools';
    gc_collect_cycles();
    check('descriptors are back', true, eventually(static fn (): bool => count(scandir('/proc/self/fd') ?: []) <= $before + 2) ?: count(scandir('/proc/self/fd') ?: []) - $before);
});
