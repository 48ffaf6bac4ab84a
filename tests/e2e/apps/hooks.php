<?php

declare(strict_types=1);

/* The checks of hooks_test.php: plain PHP code that knows nothing of coroutines, 50 at once. A check is a line of JSON. */

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Runtime;

/** @var array{mysql: int, socket: string, pg: int, redis: int, http: int} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
const AT_ONCE = 50;

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => $name, 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}

function outcome(callable $work, int $i): mixed
{
    try {
        return $work($i);
    } catch (Throwable $error) {
        return $error::class . ': ' . $error->getMessage();
    }
}

/** Each call takes 0.2 s of waiting: 50 of them together may take a tenth of what they take one after another. */
function atOnce(string $name, callable $work, mixed $expected): void
{
    $results = [];
    $start = microtime(true);
    Coroutine\run(static function () use ($work, &$results): void {
        for ($i = 0; $i < AT_ONCE; $i++) {
            Coroutine::create(static function () use ($work, $i, &$results): void {
                $results[] = outcome($work, $i);
            });
        }
    });
    $took = microtime(true) - $start;
    check("$name, " . AT_ONCE . ' at once', array_fill(0, AT_ONCE, $expected), $results);
    check("$name: they overlap", true, $took < AT_ONCE * 0.2 / 4 ?: sprintf('%.1f s', $took));
    check("$name, outside coroutines", $expected, outcome($work, 0));
}

$dsn = "mysql:host=127.0.0.1;port=$at[mysql]";
atOnce('sleep functions', static function (int $i): mixed {
    usleep(100_000);
    return time_nanosleep(0, 100_000_000);
}, true);
atOnce('PDO MySQL', static fn (): mixed => (new PDO($dsn, 'root', ''))->query('SELECT SLEEP(0.2), 7')->fetchColumn(1), 7);
atOnce('PDO MySQL by a unix socket', static fn (): mixed => (new PDO("mysql:unix_socket=$at[socket]", 'root', ''))->query('SELECT SLEEP(0.2), 7')->fetchColumn(1), 7);
atOnce('PDO MySQL, prepared by the server', static function () use ($dsn): mixed {
    $pdo = new PDO($dsn, 'root', '', [PDO::ATTR_EMULATE_PREPARES => false]);
    $statement = $pdo->prepare('SELECT SLEEP(?), ?');
    $statement->execute([0.2, 'bound']);
    return $statement->fetch(PDO::FETCH_NUM)[1];
}, 'bound');
atOnce('mysqli', static fn (): mixed => (new mysqli('127.0.0.1', 'root', '', '', $at['mysql']))->query('SELECT SLEEP(0.2), 7')->fetch_row()[1], '7');
atOnce('PDO PostgreSQL', static fn (): mixed => (new PDO("pgsql:host=127.0.0.1;port=$at[pg];user=postgres;dbname=postgres"))->query('SELECT pg_sleep(0.2), 7')->fetchColumn(1), 7);
atOnce('pgsql', static fn (): mixed => pg_fetch_row(pg_query(pg_connect("host=127.0.0.1 port=$at[pg] user=postgres dbname=postgres", PGSQL_CONNECT_FORCE_NEW), 'SELECT pg_sleep(0.2), 7'))[1], '7');
atOnce('redis', static function (int $i) use ($at): mixed {
    $redis = new Redis();
    $redis->connect('127.0.0.1', $at['redis']);
    $redis->set("key$i", "value$i");
    return [$redis->get("key$i") === "value$i", $redis->rawCommand('BLPOP', "nothing$i", '0.2')];
}, [true, []]);
$url = "http://127.0.0.1:$at[http]/sleep";
atOnce('HTTP streams', static fn (): mixed => file_get_contents($url), 'slept');
atOnce('curl', static function () use ($url): mixed {
    $curl = curl_init($url);
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    return curl_exec($curl);
}, 'slept');
atOnce('curl_multi', static function () use ($url): mixed {
    $multi = curl_multi_init();
    $handles = [curl_init($url), curl_init($url)];
    foreach ($handles as $handle) {
        curl_setopt($handle, CURLOPT_RETURNTRANSFER, true);
        curl_multi_add_handle($multi, $handle);
    }
    do {
        curl_multi_exec($multi, $running);
        curl_multi_select($multi, 5);
    } while ($running > 0);
    return array_map(curl_multi_getcontent(...), $handles);
}, ['slept', 'slept']);
atOnce('exec', static function (): mixed {
    exec('sleep 0.2; echo one; echo two; exit 3', $lines, $status);
    return [$lines, $status];
}, [['one', 'two'], 3]);
atOnce('shell_exec', static fn (): mixed => shell_exec('sleep 0.2; echo out'), "out\n");
atOnce('proc_open', static function (): mixed {
    $process = proc_open(['sh', '-c', 'sleep 0.2; cat; exit 4'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    fwrite($pipes[0], str_repeat('x', 100_000));
    fclose($pipes[0]);
    return [strlen((string) stream_get_contents($pipes[1])), proc_close($process)];
}, [100_000, 4]);
atOnce('stream_select', static function (): mixed {
    $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $read = [$pair[0]];
    $write = $except = null;
    return stream_select($read, $write, $except, 0, 200_000);
}, 0);
atOnce('ext-sockets', static function (): mixed {
    socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $pair);
    socket_set_option($pair[0], SOL_SOCKET, SO_RCVTIMEO, ['sec' => 0, 'usec' => 200_000]);
    $nothing = @socket_recv($pair[0], $data, 10, 0);
    socket_write($pair[1], 'text');
    return [$nothing, socket_read($pair[0], 10)];
}, [false, 'text']);

// Errors are the drivers' own.
foreach (['inside', 'outside'] as $where) {
    $errors = [];
    $work = static function () use ($at, &$errors): void {
        $errors = [
            outcome(static fn () => new PDO("mysql:host=127.0.0.1;port=$at[mysql]", 'root', 'wrong'), 0),
            outcome(static fn () => new PDO('mysql:host=127.0.0.1;port=1', 'root', ''), 0),
            outcome(static fn () => (new PDO("pgsql:host=127.0.0.1;port=$at[pg];user=postgres;dbname=postgres"))->query('SELECT nonsense'), 0),
            outcome(static fn () => new PDO("pgsql:host=127.0.0.1;port=$at[pg];user=postgres;dbname=missing"), 0),
            outcome(static fn () => (new Redis())->connect('127.0.0.1', 1), 0),
            outcome(static fn () => @file_get_contents('http://127.0.0.1:1/'), 0),
            outcome(static fn () => gethostbyname('no-such-name.invalid'), 0),
        ];
    };
    $where === 'inside' ? Coroutine\run($work) : $work();
    $seen[$where] = $errors;
}
check('errors are the same in coroutines', $seen['outside'], $seen['inside']);
check('and they are errors', true, str_contains((string) $seen['inside'][0], 'Access denied') && str_contains((string) $seen['inside'][2], 'nonsense'));

// A lost connection, a cancelled wait, a busy pool of coroutines on one thread.
Coroutine\run(static function () use ($at, $dsn): void {
    $victim = new PDO($dsn, 'root', '');
    $id = $victim->query('SELECT CONNECTION_ID()')->fetchColumn();
    $ended = new Channel(1);
    Coroutine::create(static function () use ($victim, $ended): void {
        $ended->push(outcome(static fn () => @$victim->query('SELECT SLEEP(20)')->fetchColumn(), 0));
    });
    (new PDO($dsn, 'root', ''))->exec("KILL $id");
    check('a killed connection is an error at once', true, str_contains((string) $ended->pop(10), 'PDOException'));

    $cid = Coroutine::create(static function () use ($at, $ended): void {
        $start = microtime(true);
        $pdo = new PDO("pgsql:host=127.0.0.1;port=$at[pg];user=postgres;dbname=postgres");
        $result = outcome(static fn () => $pdo->query('SELECT pg_sleep(20)'), 0);
        $ended->push(is_string($result) && microtime(true) - $start < 10 ? 'failed' : $result);
    });
    Coroutine::sleep(0.1);
    check('a wait can be cancelled', true, Coroutine::cancel($cid));
    check('and the driver says so', 'failed', $ended->pop(10));

    $file = tempnam(sys_get_temp_dir(), 'hooks');
    $order = [];
    for ($i = 0; $i < 3; $i++) {
        Coroutine::create(static function () use ($file, $i, &$order, $ended): void {
            $handle = fopen($file, 'c');
            flock($handle, LOCK_EX);
            $order[] = "in $i";
            usleep(10_000);
            $order[] = "out $i";
            flock($handle, LOCK_UN);
            if (count($order) === 6) {
                $ended->push(true);
            }
        });
    }
    $ended->pop(10);
    unlink($file);
    $pairs = array_map(static fn (array $pair): bool => substr($pair[0], 3) === substr($pair[1], 4), array_chunk($order, 2));
    check('file locks exclude coroutines too', [true, true, true], $pairs);
});

// With the flags off nothing overlaps.
Runtime::enableCoroutine(false);
check('no flag is set', 0, Runtime::getHookFlags());
$order = [];
Coroutine\run(static function () use (&$order): void {
    for ($i = 0; $i < 2; $i++) {
        Coroutine::create(static function () use ($i, &$order): void {
            $order[] = "before $i";
            usleep(1000);
            $order[] = "after $i";
        });
    }
});
check('without the flag a sleep blocks', ['before 0', 'after 0', 'before 1', 'after 1'], $order);
Runtime::setHookFlags(SWOOLE_HOOK_SLEEP);
$order = [];
Coroutine\run(static function () use (&$order, $dsn): void {
    Coroutine::create(static function () use (&$order, $dsn): void {
        (new PDO($dsn, 'root', ''))->query('SELECT SLEEP(0.1)');
        $order[] = 'database';
    });
    Coroutine::create(static function () use (&$order): void {
        usleep(1000);
        $order[] = 'sleep';
    });
});
check('only what is asked for waits', ['database', 'sleep'], $order);
