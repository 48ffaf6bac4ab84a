<?php

// Starts nginx, then each case as plain PHP, outside coroutines, in one coroutine and in 50, in turns; the median of the turns' ratios counts.

declare(strict_types=1);

namespace Stampede\Bench;

require dirname(__DIR__) . '/lib/processes.php';
require dirname(__DIR__) . '/lib/slices.php';

$smoke = in_array('--smoke', $argv, true);
$turns = $smoke ? 1 : 31;
$only = preg_match('/--only=(\S+)/', implode(' ', $argv), $found) ? explode(',', $found[1]) : null;
$root = dirname(__DIR__, 2);
$module = getenv('MODULE') ?: "$root/modules/stampede.so";

$folder = sys_get_temp_dir() . '/stampede-bench-hooks-' . getmypid();
mkdir("$folder/html", 0755, true);
file_put_contents("$folder/4k", random_bytes(4096));
$port = free_port();
file_put_contents("$folder/nginx.conf", "daemon off; worker_processes 1; pid $folder/pid; error_log $folder/error.log; events { worker_connections 1024; }
    http { access_log off; keepalive_requests 1000000; server { listen 127.0.0.1:$port; location / { return 200 'hello'; } } }");
$nginx = new Program('nginx', ['nginx', '-p', $folder, '-c', "$folder/nginx.conf"], $port);
array_map(leave_own_processor(...), $nginx->tree());

// operations, limits: outside coroutines, one after another, 50 at once
$cases = [
    'file' => ['a cached file of 4 KiB', 5_000, 1.02, 1.5, 1.5],
    'curl' => ['curl, kept connection', 1_000, 1.02, 1.10, 0.55],
    'curl_new' => ['curl, a handle each', 500, 1.02, 1.10, 0.95],
    'http' => ['file_get_contents over HTTP', 500, 1.02, 1.10, 0.70],
    // A query without parameters is handed over and back, which costs more than a short one does.
    'sqlite' => ['SQLite, a row by its number', 1_000, 1.05, 8.0, 8.0],
    'sqlite_prepared' => ['SQLite, prepared', 2_000, 1.05, 2.0, 2.0],
    'sqlite_rows' => ['SQLite, 1000 rows', 100, 1.10, 2.0, 2.5],
    'sqlite_write' => ['SQLite, a row written', 500, 1.05, 6.0, 6.0],
];
$database = new \PDO("sqlite:$folder/database");
$database->exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
    WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 10000) INSERT INTO t SELECT x, 'text ' || x FROM c");
unset($database);
$arguments = json_encode(['file' => "$folder/4k", 'url' => "http://127.0.0.1:$port/", 'database' => "$folder/database"], JSON_THROW_ON_ERROR);
$measured = static function (string $case, int $count, bool $extension, int $atOnce) use ($module, $arguments): Measured {
    $options = ['-n', '-d', 'extension=curl', '-d', 'extension=pdo', '-d', 'extension=pdo_sqlite', ...($extension ? ['-d', "extension=$module"] : [])];
    return new Measured([PHP_BINARY, ...$options, __DIR__ . '/costs.php', $case, (string) $count, (string) $atOnce, $arguments]);
};
$over = 0;
printf("%-30s %10s %16s %16s %16s\n", 'microseconds of CPU', 'plain PHP', 'outside', 'one coroutine', '50 at once');
foreach ($cases as $case => [$name, $count, $limitOutside, $limitOne, $limitMany]) {
    if ($only !== null && !in_array($case, $only, true)) {
        continue;
    }
    $count = $smoke ? 100 : $count;
    $slices = in_turns([
        'plain' => $measured($case, $count, false, 0),
        'outside' => $measured($case, $count, true, 0),
        'one' => $measured($case, $count, true, 1),
        'many' => $measured($case, $count, true, 50),
    ], $turns);
    $cost = static fn (string $which): float => median(array_column($slices[$which], 0));
    $column = static function (string $which, float $limit) use ($slices, $cost, &$over): string {
        $ratio = ratio_of($slices[$which], $slices['plain']);
        $over += $ratio > $limit ? 1 : 0;
        return sprintf('%.2f %4.2f (%.2f)', $cost($which), $ratio, $limit);
    };
    printf("%-30s %10.2f %16s %16s %16s\n", $name, $cost('plain'), $column('outside', $limitOutside), $column('one', $limitOne), $column('many', $limitMany));
}
$nginx->stop();
exec('rm -rf ' . escapeshellarg($folder));
exit($smoke || $over === 0 ? 0 : 1);
