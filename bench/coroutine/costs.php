<?php

// One table: what each operation costs, what it is measured against, and what it may cost. The best of many short slices
// counts, those of all operations alternating, so that a busy machine disturbs them alike.

declare(strict_types=1);

use Stampede\WebRequest;
use Swoole\Coroutine as Co;
use Swoole\Coroutine\Channel;
use Swoole\Timer;

use function Swoole\Coroutine\run;

$smoke = in_array('--smoke', $argv, true);
$count = $smoke ? 20_000 : 30_000;
$rounds = $smoke ? 2 : 9;
$slices = $smoke ? 2 : 80;

function cpu_microseconds(): float
{
    $use = getrusage();
    return ($use['ru_utime.tv_sec'] + $use['ru_stime.tv_sec']) * 1e6 + $use['ru_utime.tv_usec'] + $use['ru_stime.tv_usec'];
}

/** The kernel's page tables are memory of the process, too. */
function memory_kib(): int
{
    preg_match_all('/^(?:VmRSS|VmPTE):\s+(\d+)/m', (string) file_get_contents('/proc/self/status'), $match);
    return (int) array_sum($match[1]);
}

/** Nanoseconds per operation. */
function timed(int $count, callable $work): float
{
    $start = hrtime(true);
    $work($count);
    return (hrtime(true) - $start) / $count;
}

$operations = [
    'loop' => function (int $count): void {
        for ($i = 0; $i < $count; $i++) {
        }
    },
    'fiber' => function (int $count): void {
        $fiber = new Fiber(function (): void {
            while (true) {
                Fiber::suspend();
            }
        });
        $fiber->start();
        for ($i = 0; $i < $count; $i++) {
            $fiber->resume();
        }
    },
    'go' => function (int $count): void {
        $empty = function (): void {
        };
        for ($i = 0; $i < $count; $i++) {
            go($empty);
        }
    },
    'yield' => function (int $count): void {
        $on = true;
        $cid = Co::create(function () use (&$on): void {
            while ($on) {
                Co::yield();
            }
        });
        for ($i = 0; $i < $count; $i++) {
            Co::resume($cid);
        }
        $on = false;
        Co::resume($cid);
    },
    'channel' => function (int $count): void {
        $there = new Channel(1);
        $back = new Channel(1);
        go(function () use ($there, $back): void {
            while (($value = $there->pop()) !== false) {
                $back->push($value);
            }
        });
        for ($i = 0; $i < $count; $i++) {
            $there->push($i);
            $back->pop();
        }
        $there->close();
    },
    'request' => function (int $count): void {
        $server = ['REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/'];
        for ($i = 0; $i < $count; $i++) {
            WebRequest::begin($server, [], [], [], [], '');
            WebRequest::end();
        }
    },
    'exchange' => function (int $count): void {
        $on = true;
        $cid = Co::create(function () use (&$on): void {
            WebRequest::begin(['REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/'], [], [], [], [], '');
            while ($on) {
                Co::yield();
            }
            WebRequest::end();
        });
        for ($i = 0; $i < $count; $i++) {
            Co::resume($cid);
        }
        $on = false;
        Co::resume($cid);
    },
];

$best = array_fill_keys(array_keys($operations), INF);
run(function () use ($operations, $count, $slices, &$best): void {
    for ($slice = 0; $slice < $slices; $slice++) {
        foreach ($operations as $name => $work) {
            $best[$name] = min($best[$name], timed($count, $work));
        }
    }
});

$memory = 0.0;
run(function () use (&$memory): void {
    $waiting = [];
    $before = memory_kib();
    for ($i = 0; $i < 20_000; $i++) {
        $waiting[] = go(function (): void {
            Co::yield();
        });
    }
    $memory = (memory_kib() - $before) / 20_000;
    foreach ($waiting as $cid) {
        Co::resume($cid);
    }
});

$sleep = INF;
for ($round = 0; $round < $rounds + 3; $round++) {
    $start = cpu_microseconds();
    run(function (): void {
        for ($i = 0; $i < 10_000; $i++) {
            go(function (): void {
                Co::sleep(0.01);
            });
        }
    });
    $sleep = min($sleep, (cpu_microseconds() - $start) / 10_000);
}

$timer = INF;
for ($round = 0; $round < $rounds; $round++) {
    $fired = 0;
    $callback = function () use (&$fired): void {
        $fired++;
    };
    $start = cpu_microseconds();
    for ($i = 0; $i < 100_000; $i++) {
        Timer::after(10 + $i % 50, $callback);
    }
    Swoole\Event::wait();
    $timer = min($timer, (cpu_microseconds() - $start) / 100_000);
}

$fiber = $best['fiber'];
$rows = [
    // what, measured, unit, relation, limit
    ['native Fiber: suspend and resume', $fiber, 'ns', null, null],
    ['go(): create, run, end', $best['go'], 'ns', $best['go'] / $fiber, 2.0],
    ['yield and resume', $best['yield'], 'ns', $best['yield'] / $fiber, 1.0],
    ['a round through a channel', $best['channel'], 'ns', $best['channel'] / $fiber, 1.0],
    ['a request as PHP\'s functions know it: begin, end', $best['request'], 'ns', $best['request'] / $fiber, 25.0],
    ['yield and resume in such a request', $best['exchange'], 'ns', $best['exchange'] / $fiber, 12.0],
    ['memory of a waiting coroutine, page tables included', $memory, 'KiB', $memory, 9.0],
    ['10,000 coroutines sleeping 10 ms, CPU each', $sleep, 'us', $sleep, 1.0],
    ['100,000 one-shot timers, CPU each', $timer, 'us', $timer, 0.5],
];

$over = 0;
printf("%-52s %10s %8s %8s\n", '', 'measured', 'ratio', 'limit');
foreach ($rows as [$what, $measured, $unit, $ratio, $limit]) {
    $exceeded = $limit !== null && $ratio > $limit;
    $over += (int) $exceeded;
    printf(
        "%-52s %7.2f %-3s %7s %8s%s\n",
        $what,
        $measured,
        $unit,
        $ratio === null ? '' : sprintf('%.2f', $ratio),
        $limit === null ? '' : sprintf('%.2f', $limit),
        $exceeded ? '  over' : '',
    );
}
exit($over > 0 && !$smoke ? 1 : 0);
