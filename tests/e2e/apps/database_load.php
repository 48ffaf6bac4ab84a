<?php

declare(strict_types=1);

/*
 * A plain HTTP server whose workers use a database as scripts do: connections made when the worker starts, with the first request and for one
 * request, lent to one coroutine at a time, and statements that end when nobody looks. A response is the number that was asked for.
 * usage: database_load.php PORT SETTINGS, of which _at are the ports and _driver is one of drivers()
 */

use Swoole\Coroutine\Channel;
use Swoole\Http\{Request, Response, Server};

$settings = json_decode($argv[2], true, 16, JSON_THROW_ON_ERROR);
$at = $settings['_at'];
$driver = $settings['_driver'];
$file = $settings['_file'];
unset($settings['_at'], $settings['_driver'], $settings['_file']);

require __DIR__ . '/database_users.php';

mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$more = [
    'pdo_mysql, kept' => [static fn (): PDO => new PDO("mysql:host=127.0.0.1;port={$at['mysql']};dbname=test;user=root", null, null, [PDO::ATTR_PERSISTENT => true, PDO::ATTR_EMULATE_PREPARES => false]),
        static fn (PDO $pdo, int $n): array => pdo_row($pdo, 'SELECT ? + 0', $n)],
    'pdo_sqlite' => [static fn (): PDO => new PDO("sqlite:$file", null, null, [PDO::ATTR_TIMEOUT => 30]), static fn (PDO $pdo, int $n): array => pdo_row($pdo, 'SELECT ? + 0', $n)],
    'mysqli, asynchronous' => [static fn (): mysqli => new mysqli('127.0.0.1', 'root', '', 'test', $at['mysql']), static function (mysqli $mysqli, int $n): array {
        $mysqli->query("SELECT $n + 0, SLEEP(0.002)", MYSQLI_ASYNC);
        do {
            $read = $failed = $refused = [$mysqli];
        } while (mysqli_poll($read, $failed, $refused, 5) === 0);
        $result = $mysqli->reap_async_query();
        return [(int) $result->fetch_row()[0], $result];
    }],
    'pgsql, asynchronous' => [pg(...),
        static function (PgSql\Connection $link, int $n): array {
            pg_send_query_params($link, 'SELECT $1::int, pg_sleep(0.002)', [$n]);
            $result = pg_get_result($link);
            $row = (int) pg_fetch_result($result, 0, 0);
            pg_send_query($link, "SELECT $n; SELECT pg_sleep(0.001)");
            while ($next = pg_get_result($link)) {
                $row = pg_field_name($next, 0) === 'pg_sleep' || (int) pg_fetch_result($next, 0, 0) === $row ? $row : -1;
            }
            return [$row, $result];
        }],
    'pgsql, copy' => [static function (): PgSql\Connection {
        $link = pg();
        pg_query($link, 'CREATE TEMPORARY TABLE copied (n int, filling text)');
        return $link;
    }, static function (PgSql\Connection $link, int $n): array {
        pg_copy_from($link, 'copied', array_fill(0, 20, "$n\t" . str_repeat('x', 200) . "\n"));
        pg_query($link, 'COPY copied FROM STDIN');
        pg_put_line($link, "$n\tlast\n");
        pg_put_line($link, "\\.\n");
        pg_end_copy($link);
        $rows = pg_copy_to($link, 'copied');
        pg_query($link, 'TRUNCATE copied');
        $numbers = array_unique(array_map(intval(...), $rows));
        return [count($rows) === 21 && count($numbers) === 1 ? $numbers[0] : -1, null];
    }],
    // One stream for the whole worker, which the coroutines take turns with.
    'pfsockopen' => [static fn () => pfsockopen('127.0.0.1', $at['redis'], $code, $error, 10), static function ($stream, int $n) use (&$turns): array {
        $turns ??= new Channel(1);
        $turns->push(true);
        fwrite($stream, "ECHO $n\r\n");
        fgets($stream);
        $row = (int) fgets($stream);
        $turns->pop();
        return [$row, $stream];
    }],
];
[$connect, $ask] = ($more + drivers())[$driver];
$server = new Server('127.0.0.1', (int) $argv[1]);
$server->set($settings + ['log_level' => SWOOLE_LOG_WARNING]);
$lent = $first = null;
$kept = [];
$server->on('workerStart', static function () use ($connect, &$lent): void {
    $made = [$connect(), $connect(), $connect()];
    $lent = new Channel(count($made));
    Swoole\Coroutine::create(static function () use ($made, $lent): void {
        array_map($lent->push(...), $made);
    });
});
// PHP frees what is left at the end of a process in the order in which it was made, and pdo_odbc does not bear a statement after its connection.
$server->on('workerStop', static function () use (&$kept): void {
    $kept = [];
});
$server->on('request', static function (Request $request, Response $response) use ($connect, $ask, &$lent, &$first, &$kept): void {
    static $number = 0;
    $n = $number++;
    if ($first === null) {
        $first = new Channel(1);
        $first->push($connect());
    }
    $turn = $n % 4 === 3 ? $first : $lent;
    try {
        $connection = $n % 8 === 7 ? $connect() : $turn->pop(20);
        try {
            [$row, $statement] = $ask($connection, $n);
        } finally {
            $n % 8 === 7 || $turn->push($connection);
        }
        unset($connection);
        $kept[$n % 5] = $statement; // and the one before ends, whoever has its connection
        $response->status($row === $n ? 200 : 500);
        $response->end($row === $n ? 'right' : "$row instead of $n");
    } catch (Throwable $error) {
        $response->status(500);
        $response->end($error->getMessage());
        fwrite(STDERR, $error->getMessage() . "\n");
    }
});
$server->start();
