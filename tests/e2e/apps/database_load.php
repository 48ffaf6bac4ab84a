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
