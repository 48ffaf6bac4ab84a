<?php

declare(strict_types=1);

/* The users of bench/soak/databases. usage: statements.php PORTS MINUTES */

namespace Stampede\Bench;

use Swoole\ConnectionPool;
use Swoole\Coroutine;
use Swoole\Coroutine\WaitGroup;

require __DIR__ . '/../lib/soak.php';
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
require __DIR__ . '/../../tests/e2e/apps/database_users.php';

const USERS = 50;

final class Users
{
    public bool $stop = false;
    public int $rows = 0;
    public int $errors = 0;
    /** @var array<string, true> */
    private array $said = [];
    /** @var array<int, mixed> statements whose end comes when another coroutine puts its own in their place */
    private array $kept = [];

    /**
     * One user: takes a connection, asks, gives it back, and lets the statement end in one of several ways. In the place of a connection that has
     * failed the pool makes a new one.
     */
    public function work(int $number, string $driver, ConnectionPool $pool, callable $ask): void
    {
        for ($query = 0; !$this->stop; $query++) {
            $wanted = $number * 1_000_000 + $query % 1_000_000;
            try {
                $connection = $pool->get();
                $good = false;
                try {
                    [$row, $statement] = $ask($connection, $wanted);
                    $good = true;
                } finally {
                    $pool->put($good ? $connection : null);
                    unset($connection);
                }
                $row === $wanted ? $this->rows++ : $this->failed("$driver: $row instead of $wanted");
                Coroutine::sleep(0.001);
                // The end of an ODBC statement waits for its connection's mutex. Inside of a collection of cycles that wait
                // holds up all later collections.
                $this->end($driver === 'odbc' ? $number % 2 : $number % 3, $number, $query, $statement);
                unset($statement);
            } catch (\Throwable $error) {
                $this->failed("$driver: " . $error->getMessage());
                Coroutine::sleep(0.1);
            }
        }
    }

    private function end(int $way, int $number, int $query, mixed $statement): void
    {
        if ($way === 1) {
            $this->kept[$number % 7] = $statement;
        } elseif ($way === 2) {
            $cycle = new \stdClass();
            $cycle->self = $cycle;
            $cycle->statement = $statement;
            if ($query % 16 === 0) {
                gc_collect_cycles();
            }
        }
    }

    private function failed(string $text): void
    {
        $this->errors++;
        if (!isset($this->said[$text]) && count($this->said) < 20) {
            $this->said[$text] = true;
            echo "$text\n";
        }
    }
}

function private_kilobytes(): int
{
    preg_match_all('/^Private_\w+:\s+(\d+) kB/m', (string) file_get_contents('/proc/self/smaps_rollup'), $found);
    return (int) array_sum(array_map(intval(...), $found[1]));
}

mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$status = 1;
Coroutine\run(static function () use ($argv, &$status): void {
    $users = new Users();
    $group = new WaitGroup();
    $number = 0;
    foreach (\drivers() as $driver => [$connect, $ask]) {
        $pool = new ConnectionPool($connect, 3);
        for ($i = 0; $i < USERS; $i++) {
            $group->add();
            Coroutine::create(static function () use ($users, $group, $number, $driver, $pool, $ask): void {
                $users->work($number, $driver, $pool, $ask);
                $group->done();
            });
            $number++;
        }
    }
    // Cycles that are not collected yet take a chunk of the engine's memory more or less (2 MiB).
    $soak = new Soak('rows', (float) $argv[2], kilobytes: 4096);
    [$rows, $errors] = [0, 0];
    for ($slice = 0; $slice < Soak::SLICES; $slice++) {
        Coroutine::sleep($soak->seconds_each());
        $soak->slice($users->rows - $rows, $users->errors - $errors, private_kilobytes());
        [$rows, $errors] = [$users->rows, $users->errors];
    }
    $users->stop = true;
    $ended = $group->wait(30);
    if (!$ended) {
        echo "Coroutines wait for ever.\n";
    }
    $status = $ended ? $soak->verdict() : 1;
});
exit($status);
