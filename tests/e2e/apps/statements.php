<?php

declare(strict_types=1);

/* The checks of statements_test.php. A check is a line of JSON. usage: statements.php PORTS PART */

use Swoole\ConnectionPool;
use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\WaitGroup;
use Swoole\Database\{MysqliConfig, MysqliPool, PDOConfig, PDOPool};

use function Swoole\Coroutine\run;

/** @var array{mysql: int, pg: int, redis: int} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
const COROUTINES = 200;
const QUERIES = 10;

require __DIR__ . '/database_users.php';
$drivers = drivers();

/** Ways to lend connections. */
$pools = [
    'a channel' => static function (callable $connect): array {
        $channel = new Channel(3);
        for ($i = 0; $i < 3; $i++) {
            $channel->push($connect());
        }
        return [$channel->pop(...), $channel->push(...)];
    },
    'ConnectionPool' => static function (callable $connect): array {
        $pool = new ConnectionPool($connect, 3);
        return [$pool->get(...), $pool->put(...)];
    },
];

/** Every coroutine takes a connection, asks, gives it back, and lets the statement end later, in one of several ways. */
function pooled(callable $connect, callable $ask, callable $make): array
{
    static $kept = [];
    [$take, $give] = $make($connect);
    $good = 0;
    $errors = [];
    $group = new WaitGroup();
    for ($i = 0; $i < COROUTINES; $i++) {
        $group->add();
        Coroutine::create(static function () use ($i, $take, $give, $ask, $group, &$good, &$errors, &$kept): void {
            for ($query = 0; $query < QUERIES; $query++) {
                $wanted = $i * 1000 + $query;
                try {
                    $connection = $take();
                    try {
                        [$row, $statement] = $ask($connection, $wanted);
                    } finally {
                        $give($connection);
                    }
                    unset($connection);
                    $good += $row === $wanted ? 1 : 0;
                    if ($row !== $wanted) {
                        $errors["wrong row"] = ($errors["wrong row"] ?? 0) + 1;
                    }
                    Coroutine::sleep(0.001);
                    switch ($i % 4) {
                        case 0: // at once
                            unset($statement);
                            break;
                        case 1: // when the next one takes its place in a static
                            $kept[$i % 7] = $statement;
                            unset($statement);
                            break;
                        case 2: // in a collection of cycles
                            $cycle = new stdClass();
                            $cycle->self = $cycle;
                            $cycle->statement = $statement;
                            unset($cycle, $statement);
                            if ($query % 4 === 0) {
                                gc_collect_cycles();
                            }
                            break;
                        default: // when the coroutine ends or asks again
                    }
                } catch (Throwable $error) {
                    $text = $error::class . ': ' . substr($error->getMessage(), 0, 80);
                    $errors[$text] = ($errors[$text] ?? 0) + 1;
                }
            }
            $group->done();
        });
    }
    $group->wait(100);
    $kept = [];
    gc_collect_cycles();
    return [$good, $errors];
}

$parts['pooled'] = static function () use ($at, $drivers, $pools): void {
    foreach ($drivers as $name => [$connect, $ask]) {
        foreach ($pools as $pool => $make) {
            check("$name, $pool: every row is right", [COROUTINES * QUERIES, []], pooled($connect, $ask, $make));
        }
    }
    // Pools that make connections by themselves, and proxies for the statements.
    $config = static fn (string $driver, int $port, string $name, string $user): PDOConfig => (new PDOConfig())
        ->withDriver($driver)->withHost('127.0.0.1')->withPort($port)->withDbName($name)->withUsername($user)->withPassword('');
    $row = static fn (string $query): Closure => static function (object $connection, int $n) use ($query): array {
        $statement = $connection->prepare($query);
        $statement->execute([$n]);
        return [(int) $statement->fetchColumn(), $statement];
    };
    foreach ([
        'PDOPool, MySQL' => [new PDOPool($config('mysql', $at['mysql'], 'test', 'root')->withOptions([PDO::ATTR_EMULATE_PREPARES => false]), 3), $row('SELECT ? + 0 AS n, SLEEP(0.001)')],
        'PDOPool, PostgreSQL' => [new PDOPool($config('pgsql', $at['pg'], 'postgres', 'postgres'), 3), $row('SELECT ?::int AS n, pg_sleep(0.001)')],
        'MysqliPool' => [new MysqliPool((new MysqliConfig())->withHost('127.0.0.1')->withPort($at['mysql'])->withDbName('test')->withUsername('root')->withPassword(''), 3), static function (object $link, int $n): array {
            $statement = $link->prepare('SELECT ? + 0 AS n, SLEEP(0.001)');
            $statement->bind_param('i', $n);
            $statement->execute();
            return [(int) $statement->get_result()->fetch_assoc()['n'], $statement];
        }],
    ] as $name => [$pool, $ask]) {
        check("$name: every row is right", [COROUTINES * QUERIES, []], pooled(static fn () => null, $ask, static fn (): array => [$pool->get(...), $pool->put(...)]));
        $pool->close();
    }
};

/** Runs the work in a coroutine of its own and waits for it. */
function aside(callable $work): void
{
    Coroutine::join([Coroutine::create($work)]);
}

$parts['ends'] = static function () use ($drivers): void {
    foreach (['pdo_mysql', 'pdo_pgsql', 'mysqli'] as $name) {
        [$connect, $ask] = $drivers[$name];
        $slow = $name === 'pdo_pgsql' ? 'SELECT pg_sleep(0.05)' : 'SELECT SLEEP(0.05)';
        // Each way for a statement to end while another coroutine waits for a response on its connection.
        $ways = [
            'unset' => static function (object $connection, array $made): void {
                unset($made);
            },
            'an exception' => static function (object $connection, array $made): void {
                aside(static function () use (&$made): void {
                    $mine = $made;
                    $made = null;
                    try {
                        (static function () use (&$mine): void {
                            $local = $mine;
                            $mine = null;
                            throw new Exception('x');
                        })();
                    } catch (Exception) {
                    }
                });
            },
            'a cancelled coroutine' => static function (object $connection, array $made): void {
                $cid = Coroutine::create(static function () use (&$made): void {
                    $mine = $made;
                    $made = null;
                    Coroutine::sleep(10);
                });
                Coroutine::cancel($cid);
                Coroutine::join([$cid]);
            },
            'a destructor' => static function (object $connection, array $made): void {
                new class ($made) {
                    public function __construct(private ?array $made)
                    {
                    }

                    public function __destruct()
                    {
                        $this->made = null;
                    }
                };
            },
        ];
        foreach ($ways as $way => $end) {
            $connection = $connect();
            $made = $ask($connection, 7);
            $row = null;
            $user = Coroutine::create(static function () use ($connection, $slow, &$row, $ask): void {
                $result = $connection->query($slow);
                $row = $result !== false ? $ask($connection, 8)[0] : false;
            });
            $after = after(static function () use ($end, $connection, &$made): string {
                $mine = $made;
                $made = null;
                $end($connection, $mine);
                return 'ended';
            });
            Coroutine::join([$user]);
            check("$name, $way: the statement ends, the other coroutine gets its row", ['ended', 8], [$after, $row]);
            check("$name, $way: the connection goes on", 9, $ask($connection, 9)[0]);
        }
        // Closed meanwhile.
        $pool = new ConnectionPool($connect, 1);
        $connection = $pool->get();
        $made = $ask($connection, 1);
        $pool->put($connection);
        unset($connection);
        $pool->close();
        check("$name: a statement outlives its pool", 'ended', after(static function () use (&$made): string {
            $made = null;
            return 'ended';
        }));
    }
    $count = static fn (PDO $pdo): int => (int) $pdo->query("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'")->fetch(PDO::FETCH_NUM)[1];
    $watch = mysql_pdo(true);
    $before = $count($watch);
    [$connect, $ask] = $drivers['pdo_mysql'];
    $connection = $connect();
    $made = [];
    for ($i = 0; $i < 10; $i++) {
        $made[] = $ask($connection, $i);
    }
    $user = Coroutine::create(static fn () => $connection->query('SELECT SLEEP(0.05)')->fetchAll());
    $made = [];
    Coroutine::join([$user]);
    $ask($connection, 1);
    check('the server has closed the statements that ended meanwhile', true, $count($watch) - $before <= 1);

    $connection = pg_pdo();
    $made = [];
    for ($i = 0; $i < 10; $i++) {
        $made[] = pdo_row($connection, 'SELECT ?::int', $i);
    }
    $connection->beginTransaction();
    $user = Coroutine::create(static fn () => $connection->query('SELECT pg_sleep(0.05)')->fetchAll());
    $made = [];
    Coroutine::join([$user]);
    $count = static fn (): int => (int) $connection->query("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%::int'")->fetchColumn();
    check('inside a transaction nothing is freed', 10, $count());
    $connection->commit();
    check('PostgreSQL has freed them after it', 0, $count());

    // Unbuffered results that were read half: the next user hears the driver's own error.
    $connection = mysql_pdo(false, false);
    $half = $connection->query('SELECT 1 UNION SELECT 2 UNION SELECT 3');
    $half->fetch();
    $heard = null;
    aside(static function () use ($connection, &$heard): void {
        $heard = after(static fn (): mixed => $connection->query('SELECT 4')->fetchColumn());
    });
    check('an unbuffered result that was read half: the error is the driver\'s', 'PDOException: SQLSTATE[HY000]: General error: 2014 Cannot execute queries', is_string($heard) ? rtrim($heard) : $heard);
    unset($half);
    check('and after its end the connection goes on', '4', (string) $connection->query('SELECT 4')->fetchColumn());
};

$parts['second_user'] = static function () use ($drivers, $at): void {
    foreach (['pdo_mysql', 'pdo_pgsql', 'mysqli', 'pgsql', 'pdo_mysql, emulated'] as $name) {
        [$connect, $ask] = $drivers[$name];
        $connection = $connect();
        $ask($connection, 1);
        $slow = str_contains($name, 'pg') ? 'SELECT pg_sleep(0.05), 5 AS n' : 'SELECT SLEEP(0.05), 5 AS n';
        $first = null;
        $user = Coroutine::create(static function () use ($connection, $slow, &$first): void {
            $result = $connection instanceof PgSql\Connection ? pg_query($connection, $slow) : $connection->query($slow);
            $first = match (true) {
                $result instanceof PDOStatement => (int) $result->fetch()['n'],
                $result instanceof mysqli_result => (int) $result->fetch_assoc()['n'],
                $result instanceof PgSql\Result => (int) pg_fetch_assoc($result)['n'],
                default => $result,
            };
        });
        $second = after(static fn (): mixed => @$ask($connection, 2)[0]);
        Coroutine::join([$user]);
        check("$name: the second user is refused", true, is_string($second) && str_contains($second, 'has already been bound'));
        check("$name: the first one is not harmed", 5, $first);
        check("$name: nor is the connection", 3, $ask($connection, 3)[0]);
    }
    $redis = new Redis();
    $redis->connect('127.0.0.1', $at['redis']);
    $first = null;
    $user = Coroutine::create(static function () use ($redis, &$first): void {
        $first = after(static fn (): mixed => $redis->blPop(['list'], 5));
    });
    $second = after(static fn (): mixed => @$redis->get('x'));
    $other = new Redis();
    $other->connect('127.0.0.1', $at['redis']);
    $other->lPush('list', 'value');
    Coroutine::join([$user]);
    check('phpredis: the second user is refused', true, is_string($second) && str_contains($second, 'has already been bound'));
    check('phpredis: the first one is not harmed', ['list', 'value'], $first);
};

$parts['closing'] = static function () use ($at): void {
    /** Closes what another coroutine waits in; gives what that coroutine saw and whether it had gone on before the closing call came back. */
    $close = static function (callable $wait, callable $end): array {
        $seen = 'nothing';
        $user = Coroutine::create(static function () use ($wait, &$seen): void {
            $seen = after(static fn (): mixed => @$wait());
        });
        $closed = after(static function () use ($end): string {
            @$end();
            return 'closed';
        });
        $before = $seen !== 'nothing';
        Coroutine::join([$user]);
        return [$closed, $before];
    };
    [$one, $two] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    check('a stream', ['closed', true], $close(static fn (): mixed => fgets($one), static fn (): mixed => fclose($one)));
    fclose($two);
    $pipes = [];
    $process = proc_open(['sleep', '10'], [1 => ['pipe', 'w']], $pipes);
    check('a pipe', ['closed', true], $close(static fn (): mixed => fread($pipes[1], 10), static fn (): mixed => fclose($pipes[1])));
    proc_terminate($process, SIGKILL);
    proc_close($process);
    $redis = new Redis();
    $redis->connect('127.0.0.1', $at['redis']);
    check('phpredis', ['closed', true], $close(static fn (): mixed => $redis->blPop(['nothing'], 5), static fn (): mixed => $redis->close()));
    $link = mysqli_link();
    check('mysqli', ['closed', true], $close(static fn (): mixed => $link->query('SELECT SLEEP(5)'), static fn (): mixed => $link->close()));
    $link = mysqli_link();
    $statement = $link->prepare('SELECT SLEEP(5)');
    check('mysqli, prepared', ['closed', true], $close(static fn (): mixed => $statement->execute(), static fn (): mixed => $link->close()));
    $pg = pg();
    check('pgsql', ['closed', true], $close(static fn (): mixed => pg_query($pg, 'SELECT pg_sleep(5)'), static fn (): mixed => pg_close($pg)));
    $folder = sys_get_temp_dir() . '/stampede-closing-' . getmypid();
    mkdir($folder);
    exec("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout $folder/key -out $folder/cert 2>/dev/null");
    $door = stream_socket_server('tls://127.0.0.1:0', $code, $message, context: stream_context_create(['ssl' => ['local_cert' => "$folder/cert", 'local_pk' => "$folder/key"]]));
    $accepted = null;
    $server = Coroutine::create(static function () use ($door, &$accepted): void {
        $accepted = stream_socket_accept($door, 5);
    });
    $tls = stream_socket_client('tls://' . stream_socket_get_name($door, false), $code, $message, 5, STREAM_CLIENT_CONNECT, stream_context_create(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]));
    Coroutine::join([$server]);
    check('a TLS stream', ['closed', true], $close(static fn (): mixed => fgets($tls), static fn (): mixed => fclose($tls)));
    array_map(unlink(...), glob("$folder/*") ?: []);
    rmdir($folder);
};

mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
run($parts[$argv[2]]);
