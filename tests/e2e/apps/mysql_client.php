<?php

declare(strict_types=1);

/* The checks of database_clients_test.php on Swoole\Coroutine\MySQL. A check is a line of JSON. */

use Swoole\Coroutine;
use Swoole\Coroutine\MySQL;
use Swoole\Coroutine\WaitGroup;
use Swoole\Runtime;

/** @var array{mysql: int, socket: string} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => "MySQL client: $name", 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION), "\n";
}

/** What a server says is there, waited for. */
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

$config = ['host' => '127.0.0.1', 'port' => $at['mysql'], 'user' => 'root', 'password' => '', 'database' => 'test'];
$client = static function (array $more = []) use ($config): MySQL {
    $client = new MySQL();
    check('connects', true, $client->connect($more + $config));
    return $client;
};

Coroutine\run(static function () use ($config, $client, $at): void {
    // It waits in coroutines although nothing is hooked.
    Runtime::setHookFlags(0);

    $db = new MySQL();
    check('a new one', [false, -1, 0, '', 0, '', 0, 0], [$db->connected, $db->sock, $db->errno, $db->error, $db->connect_errno, $db->connect_error, $db->affected_rows, $db->insert_id]);
    check('query before connect', [false, 2002], [$db->query('SELECT 1'), $db->errno]);
    check('prepare before connect', [false, 2002], [$db->prepare('SELECT 1'), $db->errno]);
    check('connect', [true, true, true, true], [$db->connect(['database' => ''] + $config), $db->connected, $db->sock > 0, $db->connect($config)]);
    check('what it was connected with', $at['mysql'], $db->serverInfo['port']);
    check('CREATE', true, $db->query('CREATE DATABASE IF NOT EXISTS test'));
    $db->close();

    $wrong = new MySQL();
    check('wrong password', [false, 0, 1045, true], [$wrong->connect(['password' => 'wrong'] + $config), $wrong->errno, $wrong->connect_errno, str_starts_with($wrong->connect_error, 'SQLSTATE[28000] [1045] Access denied for user')]);
    $refused = new MySQL();
    check('refused', [false, 2002, 'SQLSTATE[HY000] [2002] Connection refused'], [$refused->connect(['port' => 1] + $config), $refused->connect_errno, $refused->connect_error]);

    $db = $client();
    check('tables', true, $db->query('CREATE TABLE things (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(50), price DECIMAL(6,2), weight DOUBLE, made DATETIME)'));
    check('INSERT', [true, 2, 1], [$db->query("INSERT INTO things (name, price, weight, made) VALUES ('a', 1.50, 0.5, '2026-01-02 03:04:05'), ('b', NULL, 2, NULL)"), $db->affected_rows, $db->insert_id]);
    $row = ['id' => '1', 'name' => 'a', 'price' => '1.50', 'weight' => '0.5', 'made' => '2026-01-02 03:04:05'];
    check('SELECT', [$row, ['id' => '2', 'name' => 'b', 'price' => null, 'weight' => '2', 'made' => null]], $db->query('SELECT * FROM things'));
    check('SELECT without rows', [], $db->query('SELECT * FROM things WHERE id > 100'));
    $strict = $client(['strict_type' => true]);
    check('strict types', [['id' => 1, 'weight' => 0.5, 'price' => '1.50', 'made' => '2026-01-02 03:04:05']], $strict->query('SELECT id, weight, price, made FROM things WHERE id = 1'));
    check('an error', [false, 1064, true, true], [$db->query('SELEC 1'), $db->errno, str_starts_with($db->error, 'SQLSTATE[42000] [1064] You have an error'), $db->connected]);
    check('and the query behind it', [[['1' => '1']], 0, ''], [$db->query('SELECT 1'), $db->errno, $db->error]);
    foreach (['errno', 'connected', 'serverInfo'] as $name) {
        check("property by name: $name", true, isset($db->{$name}));
    }

    $statement = $db->prepare('SELECT id, price, weight, made, ? AS given FROM things WHERE id = ?');
    check('prepare', [true, true, 0, '', 0, 0], [$statement instanceof MySQL\Statement, $statement->id > 0, $statement->errno, $statement->error, $statement->affected_rows, $statement->insert_id]);
    check('execute', [['id' => 1, 'price' => '1.50', 'weight' => 0.5, 'made' => '2026-01-02 03:04:05', 'given' => 'x']], $statement->execute(['x', 1]));
    check('execute without rows', [], $statement->execute(['x', 100]));
    check('too few values', [false, 2034, "SQLSTATE[HY000] [2034] Statement#$statement->id expects 2 parameter, 1 given.", 2034],
        [$statement->execute(['x']), $statement->errno, $statement->error, $db->errno]);
    check('execute after that', 'y', $statement->execute(['y', 1])[0]['given'] ?? null);
    $plain = $db->prepare('SELECT 7 AS n');
    check('execute without values', [[['n' => 7]], [['n' => 7]]], [$plain->execute(), $plain->execute(null)]);
    check('a bad statement', [false, 1064, true, 0], [$db->prepare('SELEC ?'), $db->errno, str_starts_with($db->error, 'SQLSTATE[42000] [1064] You'), $db->connect_errno]);
    $write = $db->prepare('INSERT INTO things (name) VALUES (?)');
    check('a prepared write', [true, 3, 1, 3, 1], [$write->execute(['c']), $write->insert_id, $write->affected_rows, $db->insert_id, $db->affected_rows]);
    check('types that are given', [['i' => 2, 'f' => 2.5, 'n' => null]], $db->prepare('SELECT ? AS i, ? AS f, ? AS n')->execute([2, 2.5, null]));
    check('LIMIT takes an int', 1, count($db->prepare('SELECT id FROM things LIMIT ?')->execute([1])));

    $fetching = $client(['fetch_mode' => true]);
    $statement = $fetching->prepare('SELECT id FROM things ORDER BY id');
    check('fetch mode', [true, ['id' => 1], [['id' => 2], ['id' => 3]], null], [$statement->execute(), $statement->fetch(), $statement->fetchAll(), $statement->fetch()]);
    check('fetch mode, query', [true, ['id' => '1'], [['id' => '2'], ['id' => '3']], null], [$fetching->query('SELECT id FROM things ORDER BY id'), $fetching->fetch(), $fetching->fetchAll(), $fetching->fetch()]);

    check('a transaction', [true, true, true, [['n' => '3']]], [$db->begin(), $db->query("INSERT INTO things (name) VALUES ('gone')"), $db->rollback(), $db->query('SELECT COUNT(*) AS n FROM things')]);
    check('and one that is kept', [true, true, true, [['n' => '4']]], [$db->begin(), $db->query("INSERT INTO things (name) VALUES ('kept')"), $db->commit(), $db->query('SELECT COUNT(*) AS n FROM things')]);
    check('escape', "it\\'s a \\\\ and \\n", $db->escape("it's a \\ and \n"));

    check('defer', [false, true, true, true, [['n' => '7']], true], [$db->getDefer(), $db->setDefer(), $db->getDefer(), $db->query('SELECT 7 AS n'), $db->recv(), $db->setDefer(false)]);
    $db->setDefer();
    check('defer, prepared', [true, true, [['n' => 7]]], [$db->prepare('SELECT 7 AS n'), ($later = $db->recv())->execute(), $later->recv()]);
    check('defer, an error', [true, false, 1064], [$db->query('SELEC'), $db->recv(), $db->errno]);
    $db->setDefer(false);

    $db->query('CREATE PROCEDURE two() BEGIN SELECT 1 AS a; SELECT 2 AS b; END');
    check('several results', [[['a' => '1']], [['b' => '2']], true, null, [['n' => '1']]], [$db->query('CALL two()'), $db->nextResult(), $db->nextResult(), $db->nextResult(), $db->query('SELECT 1 AS n')]);
    check('results that nobody wanted', [[['a' => '1']], [['n' => '1']]], [$db->query('CALL two()'), $db->query('SELECT 1 AS n')]);
    $call = $db->prepare('CALL two()');
    check('several results, prepared', [[['a' => 1]], [['b' => 2]]], [$call->execute(), $call->nextResult()]);

    $status = static fn (string $name): int => (int) $db->query("SHOW GLOBAL STATUS LIKE '$name'")[0]['Value'];
    unset($statement, $plain, $write, $call, $later);
    check('statements are freed on the server with their objects', true, eventually(static fn (): bool => $status('Prepared_stmt_count') === 0));
    $more = $db->prepare('SELECT 1');
    check('a statement on the server', 1, $status('Prepared_stmt_count'));
    unset($more);
    check('freed there with its object', true, eventually(static fn (): bool => $status('Prepared_stmt_count') === 0));
    $connected = $status('Threads_connected');
    $other = $client();
    $kept = $other->prepare('SELECT 1');
    check('a client on the server', $connected + 1, $status('Threads_connected'));
    unset($other);
    check('gone there with its object', true, eventually(static fn (): bool => $status('Threads_connected') === $connected));
    check('a statement without its client', [false, 2006], [$kept->execute(), $kept->errno]);

    $slow = $client();
    $start = microtime(true);
    check('a time limit', [false, 2006, false, -1], [$slow->query('SELECT SLEEP(20)', 0.1), $slow->errno, $slow->connected, $slow->sock]);
    check('in time', true, microtime(true) - $start < 10);
    check('and not used again', [false, 2002], [$slow->query('SELECT 1'), $slow->errno]);
    check('but connected again', [true, [['1' => '1']]], [$slow->connect($config), $slow->query('SELECT 1')]);
    $hole = stream_socket_server('tcp://127.0.0.1:0');
    $silent = new MySQL();
    check('a server that says nothing', [false, 2002, 0], [$silent->connect(['port' => (int) explode(':', (string) stream_socket_get_name($hole, false))[1], 'timeout' => 0.1] + $config), $silent->connect_errno, $silent->errno]);

    $killed = $client();
    $id = $killed->query('SELECT CONNECTION_ID() AS id')[0]['id'];
    $db->query("KILL $id");
    check('killed', [false, true, false], [$killed->query('SELECT 1'), in_array($killed->errno, [2006, 2013, 1927], true) ?: $killed->errno, $killed->connected]);

    $shared = $client();
    $outcome = '';
    $cid = Coroutine::create(static fn () => $shared->query('SELECT SLEEP(0.2)'));
    try {
        $shared->query('SELECT 1');
    } catch (Swoole\Error $error) {
        $outcome = $error->getMessage();
    }
    $named = preg_match("~bound to another coroutine#$cid, which is waiting for a reply in .+mysql_client\.php:\d+; .+ in coroutine#" . Coroutine::getCid() . ' at the same time, in .+mysql_client\.php:\d+~', $outcome);
    check('two at once are told, with both places', 1, $named ?: $outcome);
    $given = $client();
    $cid = Coroutine::create(static function () use ($given, &$outcome): void {
        try {
            $outcome = $given->query('SELECT SLEEP(20)');
        } catch (Throwable $error) {
            $outcome = $error::class;
        }
    });
    Coroutine::cancel($cid, true);
    check('cancelled with an exception', [Coroutine\CanceledException::class, false], [$outcome, $given->connected]);
    $late = $client();
    Coroutine::join([Coroutine::create(static function () use ($late, &$outcome): void {
        Coroutine::setTimeLimit(0.1);
        try {
            $outcome = $late->query('SELECT SLEEP(20)');
        } catch (Throwable $error) {
            $outcome = $error::class;
        }
    })], 20);
    check('a time limit of the coroutine', [Coroutine\TimeoutException::class, false], [$outcome, $late->connected]);
    $byPath = new MySQL();
    check('a unix socket', [true, [['n' => '5']]], [$byPath->connect(['host' => "unix:$at[socket]"] + $config), $byPath->query('SELECT 5 AS n')]);

    $group = new WaitGroup();
    $start = microtime(true);
    $sum = 0;
    for ($i = 0; $i < 200; $i++) {
        $group->add();
        Coroutine::create(static function () use ($config, $group, $i, &$sum): void {
            $db = new MySQL();
            $db->connect(['timeout' => 20] + $config);
            $sum += $db->prepare('SELECT SLEEP(0.2), ? AS n')->execute([$i])[0]['n'] ?? -10000;
            $group->done();
        });
    }
    $group->wait();
    check('200 at once', array_sum(range(0, 199)), $sum);
    check('they overlap', true, microtime(true) - $start < 20 ?: microtime(true) - $start);
    check('close', [true, false, false, 2002], [$db->close(), $db->connected, $db->query('SELECT 1'), $db->errno]);
});
