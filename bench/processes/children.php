<?php

declare(strict_types=1);

/*
 * Children that end at once.
 * usage: children.php WAY COUNT    prints the CPU milliseconds of parent and children per child
 *   fork       pcntl_fork() and the end of PHP: what a plain script can do
 *   empty      a Swoole\Process whose function does nothing
 *   coroutine  one that runs a coroutine which waits
 */

function cpu(): float
{
    $sum = 0.0;
    foreach ([0, 1] as $who) {
        $usage = getrusage($who);
        $sum += $usage['ru_utime.tv_sec'] * 1e3 + $usage['ru_utime.tv_usec'] / 1e3 + $usage['ru_stime.tv_sec'] * 1e3 + $usage['ru_stime.tv_usec'] / 1e3;
    }
    return $sum;
}

[, $way, $count] = $argv;
$start = static function () use ($way): void {
    if ($way !== 'fork') {
        (new Swoole\Process($way === 'empty' ? static fn () => null : static fn () => Swoole\Coroutine\run(static fn () => usleep(100))))->start();
    } elseif (pcntl_fork() === 0) {
        exit(0);
    }
};
$start();  // what the first one prepares is not counted
pcntl_wait($status);
$before = cpu();
for ($left = (int) $count; $left > 0; $left -= 10) {
    for ($i = 0; $i < 10; $i++) {
        $start();
    }
    for ($i = 0; $i < 10; $i++) {
        pcntl_wait($status);
        if ($status !== 0) {
            fwrite(STDERR, "a child has failed\n");
            exit(1);
        }
    }
}
printf("%.4f\n", (cpu() - $before) / (int) $count);
