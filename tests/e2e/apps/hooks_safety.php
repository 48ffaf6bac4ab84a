<?php

declare(strict_types=1);

/* The checks of hooks_safety_test.php: connections that two coroutines want, waits that are given up, calls that block. */

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;

/** @var array{mysql: int, pg: int, redis: int} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);

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

/** @return array<string, array{connect: callable, slow: callable, quick: callable, answer: mixed}> */
$drivers = [
    'PDO MySQL' => [
        static fn (): PDO => new PDO("mysql:host=127.0.0.1;port=$at[mysql]", 'root', '', [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]),
        static fn (PDO $pdo): mixed => @$pdo->query('SELECT SLEEP(0.3), "slow"')->fetchColumn(1),
        static fn (PDO $pdo): mixed => @$pdo->query('SELECT "quick"')->fetchColumn(),
    ],
    'mysqli' => [
        static fn (): mysqli => new mysqli('127.0.0.1', 'root', '', '', $at['mysql']),
        static fn (mysqli $db): mixed => @$db->query('SELECT SLEEP(0.3), "slow"')->fetch_row()[1],
        static fn (mysqli $db): mixed => @$db->query('SELECT "quick"')->fetch_row()[0],
    ],
    'PDO PostgreSQL' => [
        static fn (): PDO => new PDO("pgsql:host=127.0.0.1;port=$at[pg];user=postgres;dbname=postgres"),
        static fn (PDO $pdo): mixed => $pdo->query("SELECT pg_sleep(0.3), 'slow'")->fetchColumn(1),
        static fn (PDO $pdo): mixed => $pdo->query("SELECT 'quick'")->fetchColumn(),
    ],
    'pgsql' => [
        static fn (): mixed => pg_connect("host=127.0.0.1 port=$at[pg] user=postgres dbname=postgres", PGSQL_CONNECT_FORCE_NEW),
        static fn (mixed $db): mixed => pg_fetch_row(@pg_query($db, "SELECT pg_sleep(0.3), 'slow'") ?: throw new Exception(pg_last_error($db)))[1],
        static fn (mixed $db): mixed => pg_fetch_row(@pg_query($db, "SELECT 'quick'") ?: throw new Exception(pg_last_error($db)))[0],
    ],
    'redis' => [
        static function () use ($at): Redis {
            $redis = new Redis();
            $redis->connect('127.0.0.1', $at['redis']);
            $redis->set('quick', 'quick');
            return $redis;
        },
        static fn (Redis $redis): mixed => $redis->rawCommand('BLPOP', 'nothing', '0.3') === [] ? 'slow' : 'another answer',
        static fn (Redis $redis): mixed => @$redis->get('quick'), // PHP's streams say, too, that nothing was sent
    ],
    'predis-like code over streams' => [
        static function () use ($at): mixed {
            $stream = stream_socket_client("tcp://127.0.0.1:$at[redis]");
            return $stream;
        },
        static function (mixed $stream): mixed {
            fwrite($stream, "BLPOP nothing 0.3\r\n");
            return fgets($stream) ?: throw new Exception('no answer');
        },
        static function (mixed $stream): mixed {
            @fwrite($stream, "PING quick\r\n") ?: throw new Exception('not sent');
            fgets($stream);
            return trim(fgets($stream) ?: throw new Exception('no answer'));
        },
    ],
];

Coroutine\run(static function () use ($drivers): void {
    foreach ($drivers as $name => [$connect, $slow, $quick]) {
        // Two at once on one connection: nobody gets the other's answer.
        $connection = $connect();
        $results = new Channel(4);
        Coroutine::create(static function () use ($connection, $slow, $results): void {
            $results->push(['slow', said(static fn (): mixed => $slow($connection))]);
        });
        Coroutine::create(static function () use ($connection, $quick, $results): void {
            $results->push(['quick', said(static fn (): mixed => $quick($connection))]);
        });
        $said = [];
        for ($i = 0; $i < 2; $i++) {
            [$who, $result] = $results->pop(15);
            $said[$who] = $result;
        }
        $wrong = ['slow' => 'quick', 'quick' => 'slow'];
        check("$name: two at once never get each other's answer", [false, false], [$said['slow'] === $wrong['slow'], $said['quick'] === $wrong['quick']]);
        check("$name: the second one gets an error", true, $said['quick'] !== 'quick' ? true : $said);
        $named = preg_match('~already been bound to another coroutine#\d+, which is [\w ]+ in .+hooks_safety\.php:\d+; .+ in coroutine#\d+ at the same time, in .+hooks_safety\.php:\d+~', (string) $said['quick']);
        check("$name: which names both places", 1, $named ?: $said);
        if (str_contains($name, 'MySQL') || $name === 'mysqli') { // mysqlnd has found out before anything was sent
            check("$name: the first one gets its answer", 'slow', $said['slow']);
        }
        $after = said(static fn (): mixed => $quick($connection));
        check("$name: afterwards it is right or an error", true, $after === 'quick' || preg_match('~^[\w\\\\]+: ~', (string) $after) === 1 ?: $after);

        // A wait that is given up: the answer that comes later is nobody's.
        foreach (['cancelled', 'out of time'] as $how) {
            $connection = $connect();
            $results = new Channel(1);
            $cid = Coroutine::create(static function () use ($connection, $slow, $results, $how): void {
                if ($how === 'out of time') {
                    Coroutine::setTimeLimit(0.05);
                }
                $results->push(said(static fn (): mixed => $slow($connection)));
            });
            if ($how === 'cancelled') {
                Coroutine::sleep(0.05);
                Coroutine::cancel($cid);
            }
            $result = $results->pop(15);
            check("$name, $how: an error", true, $result !== 'slow' && is_string($result) && str_contains($result, ': ') ?: $result);
            Coroutine::sleep(0.4);
            $after = said(static fn (): mixed => $quick($connection));
            check("$name, $how: and no answer of before is read", true, $after === 'quick' || preg_match('~^[\w\\\\]+: ~', (string) $after) === 1 ?: $after);
            check("$name, $how: a new connection works", 'quick', said(static fn (): mixed => $quick($connect())));
        }
    }
});
