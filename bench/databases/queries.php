<?php

// One database driver in one process. For each line on standard input it makes COUNT queries and answers with the microseconds of CPU per query
// and the queries a second.
// usage: queries.php DRIVER HOW COUNT PORT    HOW: plain, outside (of coroutines, hooks on), one (after another), many (50 at once)

declare(strict_types=1);

use function Swoole\Coroutine\run;

const TOGETHER = 50;

[, $driver, $how, $count, $port] = $argv;
$count = (int) $count;

function cpu_microseconds(): float
{
    $use = getrusage();
    return ($use['ru_utime.tv_sec'] + $use['ru_stime.tv_sec']) * 1e6 + $use['ru_utime.tv_usec'] + $use['ru_stime.tv_usec'];
}

/** @return Closure(): void one query on a connection of its own */
function query(string $driver, string $port): Closure
{
    switch ($driver) {
        case 'pdo_mysql':
        case 'pdo_mysql_slow':
            $pdo = new PDO("mysql:host=127.0.0.1;port=$port;dbname=mysql", 'root', '', [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
            $query = $driver === 'pdo_mysql' ? 'SELECT 42' : 'SELECT SLEEP(0.01)';
            return static function () use ($pdo, $query): void {
                $pdo->query($query)->fetchAll();
            };
        case 'pdo_pgsql':
            $pdo = new PDO("pgsql:host=127.0.0.1;port=$port;dbname=postgres;user=postgres", null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
            return static function () use ($pdo): void {
                $pdo->query('SELECT 42')->fetchAll();
            };
        case 'phpredis':
            $redis = new Redis();
            $redis->connect('127.0.0.1', (int) $port);
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

/** @param list<Closure(): void> $queries */
function together(array $queries, int $count): void
{
    $each = intdiv($count, count($queries));
    $group = new Swoole\Coroutine\WaitGroup(count($queries));
    foreach ($queries as $query) {
        go(static function () use ($query, $each, $group): void {
            repeat($query, $each);
            $group->done();
        });
    }
    $group->wait();
}

$serve = static function () use ($driver, $how, $count, $port): void {
    $queries = array_map(static fn (): Closure => query($driver, $port), range(1, $how === 'many' ? TOGETHER : 1));
    while (fgets(STDIN) !== false) {
        $cpu = cpu_microseconds();
        $wall = hrtime(true);
        $how === 'many' ? together($queries, $count) : repeat($queries[0], $count);
        printf("%.4f %.1f\n", (cpu_microseconds() - $cpu) / $count, $count / ((hrtime(true) - $wall) / 1e9));
    }
};
if ($how === 'plain' || $how === 'outside') {
    if ($how === 'outside') {
        Swoole\Runtime::enableCoroutine(SWOOLE_HOOK_ALL);
    }
    $serve();
} else {
    run($serve);
}
