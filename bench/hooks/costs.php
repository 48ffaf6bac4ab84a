<?php

// One case: costs.php CASE COUNT AT_ONCE ARGUMENTS-AS-JSON. For each line on standard input it does COUNT operations and answers with the microseconds
// of CPU of each. Without the extension, or with 0 at once, plain code; otherwise that many coroutines share the work.

declare(strict_types=1);

[, $case, $count, $atOnce, $json] = $argv;
$count = (int) $count;
$atOnce = (int) $atOnce;
$at = json_decode($json, true, 16, JSON_THROW_ON_ERROR);

function cpu_microseconds(): float
{
    $use = getrusage();
    return ($use['ru_utime.tv_sec'] + $use['ru_stime.tv_sec']) * 1e6 + $use['ru_utime.tv_usec'] + $use['ru_stime.tv_usec'];
}

/** Makes what a coroutine keeps, then gives the operation. */
$prepare = match ($case) {
    'file' => static fn (): Closure => static fn (): string|false => file_get_contents($at['file']),
    'curl' => static function () use ($at): Closure {
        $curl = curl_init($at['url']);
        curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
        return static fn (): string|bool => curl_exec($curl);
    },
    'curl_new' => static fn (): Closure => static function () use ($at): string|bool {
        $curl = curl_init($at['url']);
        curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
        return curl_exec($curl);
    },
    'http' => static fn (): Closure => static fn (): string|false => file_get_contents($at['url']),
    'sqlite' => static function () use ($at): Closure {
        $pdo = new PDO("sqlite:$at[database]");
        return static fn (): int|string => $pdo->query('SELECT b FROM t WHERE a = ' . random_int(1, 10_000))->fetchColumn();
    },
    'sqlite_prepared' => static function () use ($at): Closure {
        $statement = (new PDO("sqlite:$at[database]"))->prepare('SELECT b FROM t WHERE a = ?');
        return static fn (): array => $statement->execute([random_int(1, 10_000)]) ? $statement->fetchAll() : throw new Exception();
    },
    'sqlite_rows' => static function () use ($at): Closure {
        $pdo = new PDO("sqlite:$at[database]");
        return static fn (): array => $pdo->query('SELECT a, b FROM t LIMIT 1000')->fetchAll();
    },
    'sqlite_write' => static function () use ($at): Closure {
        static $number = 0;
        $number++;
        $pdo = new PDO("sqlite:$at[database]-$number");
        $pdo->exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE IF NOT EXISTS t (a, b)');
        return static fn (): int|false => $pdo->exec("INSERT INTO t VALUES (1, 'some text')");
    },
    default => exit("There is no case \"$case\"."),
};

$part = static function (Closure $operation, int $times): void {
    for ($i = 0; $i < $times; $i++) {
        if ($operation() === false) {
            exit('An operation failed.');
        }
    }
};

$work = static function () use ($prepare, $part, $count, $atOnce): void {
    $operations = array_map(static fn (): Closure => $prepare(), range(1, max(1, $atOnce)));
    while (fgets(STDIN) !== false) {
        $start = cpu_microseconds();
        if ($atOnce <= 1) {
            $part($operations[0], $count);
        } else {
            $group = new Swoole\Coroutine\WaitGroup();
            foreach ($operations as $operation) {
                $group->add();
                Swoole\Coroutine::create(static function () use ($operation, $part, $count, $atOnce, $group): void {
                    $part($operation, intdiv($count, $atOnce));
                    $group->done();
                });
            }
            $group->wait();
        }
        printf("%.4f\n", (cpu_microseconds() - $start) / $count);
    }
};
if (class_exists(Swoole\Runtime::class)) {
    Swoole\Runtime::enableCoroutine(); // outside coroutines nothing may become dearer by it
}
$atOnce > 0 ? Swoole\Coroutine\run($work) : $work();
