<?php

// Slices of all three alternate, the median of each counts: what a hand-over costs depends on where the thread sleeps. The limits are those of the project: at most 3 times the
// blocking call, at most 0.2 of a hand-over to a thread and back.

declare(strict_types=1);

use Swoole\Coroutine\System;

use function Swoole\Coroutine\run;

$smoke = in_array('--smoke', $argv, true);
$slices = $smoke ? 3 : 40;
$count = $smoke ? 200 : 2_000;
$file = (string) tempnam(sys_get_temp_dir(), 'stampede-bench-');
file_put_contents($file, random_bytes(4096));

function cpu_microseconds(): float
{
    $use = getrusage();
    return ($use['ru_utime.tv_sec'] + $use['ru_stime.tv_sec']) * 1e6 + $use['ru_utime.tv_usec'] + $use['ru_stime.tv_usec'];
}

$operations = [
    'file_get_contents' => static fn (): string|false => file_get_contents($file),
    'System::readFile' => static fn (): string|false => System::readFile($file),
    // A call of one microsecond that always goes to a helper thread.
    'hand-over to a thread' => static fn (): array|false => System::statvfs($file),
];
$slicesOf = array_fill_keys(array_keys($operations), []);
run(static function () use ($operations, $slices, $count, &$slicesOf): void {
    for ($slice = 0; $slice < $slices; $slice++) {
        foreach ($operations as $name => $operation) {
            $start = cpu_microseconds();
            for ($i = 0; $i < $count; $i++) {
                $operation();
            }
            $slicesOf[$name][] = (cpu_microseconds() - $start) / $count;
        }
    }
});
unlink($file);
$median = array_map(static function (array $costs): float {
    sort($costs);
    return $costs[intdiv(count($costs), 2)];
}, $slicesOf);

$plain = $median['System::readFile'] / $median['file_get_contents'];
$thread = $median['System::readFile'] / $median['hand-over to a thread'];
foreach ($median as $name => $microseconds) {
    printf("%-24s %6.2f us of CPU\n", $name, $microseconds);
}
printf("of file_get_contents     %6.2f (limit 3)\nof a hand-over           %6.2f (limit 0.2)\n", $plain, $thread);
exit($smoke || ($plain <= 3.0 && $thread <= 0.2) ? 0 : 1);
