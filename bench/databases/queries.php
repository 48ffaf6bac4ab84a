<?php

// One database driver in one process: microseconds of CPU per query.
// usage: queries.php DRIVER HOW COUNT ADDRESS    HOW: plain, outside (of coroutines, hooks on), one (after another), many (50 at once), slow (SLEEP(0.01), 50 at once: queries a second)

declare(strict_types=1);

use function Swoole\Coroutine\run;

const TOGETHER = 50;

[, $driver, $how, $count, $address] = $argv;
$count = (int) $count;

function cpu_microseconds(): float
{
    $use = getrusage();
    return ($use['ru_utime.tv_sec'] + $use['ru_stime.tv_sec']) * 1e6 + $use['ru_utime.tv_usec'] + $use['ru_stime.tv_usec'];
}

/** @return Closure(): void one query on a connection of its own */
function query(string $driver, string $address): Closure
{
    switch ($driver) {
        case 'pdo_mysql':
        case 'pdo_mysql_slow':
            $pdo = new PDO("mysql:host=127.0.0.1;port=$address;dbname=mysql", 'root', '', [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
            $query = $driver === 'pdo_mysql' ? 'SELECT 42' : 'SELECT SLEEP(0.01)';
            return static function () use ($pdo, $query): void {
                $pdo->query($query)->fetchAll();
            };
        case 'pdo_pgsql':
            $pdo = new PDO("pgsql:host=127.0.0.1;port=$address;dbname=postgres;user=postgres", null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
            return static function () use ($pdo): void {
                $pdo->query('SELECT 42')->fetchAll();
            };
        case 'phpredis':
            $redis = new Redis();
            $redis->connect('127.0.0.1', (int) $address);
            return static function () use ($redis): void {
                $redis->get('key');
            };
        default:
            throw new InvalidArgumentException("There is no driver $driver here.");
    }
}

function repeat(Closure $query, int $count): void
{
    for ($i = 0; $i < $count; $i++) {
        $query();
    }
}

/** @return array{float, float} CPU and wall seconds of $count queries, after as many for warming up as a tenth */
function timed(Closure $query, int $count): array
{
    repeat($query, intdiv($count, 10));
    $cpu = cpu_microseconds();
    $wall = hrtime(true);
    repeat($query, $count);
    return [(cpu_microseconds() - $cpu) / 1e6, (hrtime(true) - $wall) / 1e9];
}

/** @return array{float, float} */
function timed_together(string $driver, string $address, int $count): array
{
    $each = intdiv($count, TOGETHER);
    $ready = new Swoole\Coroutine\WaitGroup(TOGETHER);
    $done = new Swoole\Coroutine\WaitGroup(TOGETHER);
    $go = new Swoole\Coroutine\Channel(TOGETHER);
    for ($i = 0; $i < TOGETHER; $i++) {
        go(static function () use ($driver, $address, $each, $ready, $go, $done): void {
            $query = query($driver, $address);
            repeat($query, 3);
            $ready->done();
            $go->pop();
            repeat($query, $each);
            $done->done();
        });
    }
    $ready->wait();
    $cpu = cpu_microseconds();
    $wall = hrtime(true);
    for ($i = 0; $i < TOGETHER; $i++) {
        $go->push(true);
    }
    $done->wait();
    return [(cpu_microseconds() - $cpu) / 1e6, (hrtime(true) - $wall) / 1e9];
}

$result = [0.0, 0.0];
if ($how === 'plain' || $how === 'outside') {
    if ($how === 'outside') {
        Swoole\Runtime::enableCoroutine(SWOOLE_HOOK_ALL);
    }
    $result = timed(query($driver, $address), $count);
} else {
    run(static function () use ($driver, $how, $count, $address, &$result): void {
        $result = $how === 'one' ? timed(query($driver, $address), $count) : timed_together($driver, $address, $count);
    });
}
printf("%.4f %.1f\n", $result[0] * 1e6 / $count, $count / $result[1]);
