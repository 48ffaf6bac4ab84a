<?php

// Starts nginx, then each case as plain PHP, outside coroutines, in one coroutine and in 50, in turns; the median of the turns' ratios counts.

declare(strict_types=1);

namespace Stampede\Bench;

require dirname(__DIR__) . '/lib/processes.php';

$smoke = in_array('--smoke', $argv, true);
$turns = $smoke ? 1 : 7;
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

// operations, limits: outside coroutines, one after another, 50 at once
$cases = [
    'file' => ['a cached file of 4 KiB', 20_000, 1.02, 1.5, 1.5],
    'curl' => ['curl, kept connection', 3_000, 1.02, 1.10, 0.55],
    'curl_new' => ['curl, a handle each', 1_500, 1.02, 1.10, 0.95],
    'http' => ['file_get_contents over HTTP', 2_000, 1.02, 1.10, 0.70],
];
$arguments = json_encode(['file' => "$folder/4k", 'url' => "http://127.0.0.1:$port/"], JSON_THROW_ON_ERROR);
$measure = static function (string $case, int $count, bool $extension, int $atOnce) use ($module, $arguments): float {
    $options = ['-n', '-d', 'extension=curl', ...($extension ? ['-d', "extension=$module"] : [])];
    $command = [PHP_BINARY, ...$options, __DIR__ . '/costs.php', $case, (string) $count, (string) $atOnce, $arguments];
    $output = (string) shell_exec(implode(' ', array_map(escapeshellarg(...), $command)));
    return is_numeric($output) ? (float) $output : throw new \RuntimeException("$case: $output");
};
$over = 0;
printf("%-30s %10s %16s %16s %16s\n", 'microseconds of CPU', 'plain PHP', 'outside', 'one coroutine', '50 at once');
foreach ($cases as $case => [$name, $count, $limitOutside, $limitOne, $limitMany]) {
    if ($only !== null && !in_array($case, $only, true)) {
        continue;
    }
    $count = $smoke ? 100 : $count;
    $costs = ['plain' => [], 'outside' => [], 'one' => [], 'many' => []];
    for ($turn = 0; $turn < $turns; $turn++) {
        $costs['plain'][] = $measure($case, $count, false, 0);
        $costs['outside'][] = $measure($case, $count, true, 0);
        $costs['one'][] = $measure($case, $count, true, 1);
        $costs['many'][] = $measure($case, $count, true, 50);
    }
    $median = array_map(median(...), $costs);
    $column = static function (string $which, float $limit) use ($median, $costs, &$over): string {
        $ratio = median(array_map(static fn (float $cost, float $plain): float => $cost / $plain, $costs[$which], $costs['plain']));
        $over += $ratio > $limit ? 1 : 0;
        return sprintf('%.2f %4.2f (%.2f)', $median[$which], $ratio, $limit);
    };
    printf("%-30s %10.2f %16s %16s %16s\n", $name, $median['plain'], $column('outside', $limitOutside), $column('one', $limitOne), $column('many', $limitMany));
}
$nginx->stop();
exec('rm -rf ' . escapeshellarg($folder));
exit($smoke || $over === 0 ? 0 : 1);
