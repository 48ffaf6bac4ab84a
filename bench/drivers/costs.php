<?php

// Each piece of work runs on each driver in turn, several times; the best round counts. Ours must not cost more than theirs.

declare(strict_types=1);

use React\EventLoop\LoopInterface;
use React\EventLoop\StreamSelectLoop;
use Revolt\EventLoop\Driver;
use Revolt\EventLoop\Driver\StreamSelectDriver;
use Stampede\Loop\ReactLoop;
use Stampede\Loop\RevoltDriver;

require dirname(__DIR__, 2) . '/build/library/vendor/autoload.php';

$smoke = in_array('--smoke', $argv, true);
$rounds = $smoke ? 1 : 7;
$scale = $smoke ? 0.05 : 1.0;

function cpu_microseconds(): float
{
    $use = getrusage();
    return ($use['ru_utime.tv_sec'] + $use['ru_stime.tv_sec']) * 1e6 + $use['ru_utime.tv_usec'] + $use['ru_stime.tv_usec'];
}

/** @return list<array{resource, resource}> */
function pairs(int $count): array
{
    $pairs = [];
    for ($i = 0; $i < $count; $i++) {
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        foreach ($pair as $stream) {
            stream_set_blocking($stream, false);
            stream_set_read_buffer($stream, 0);
        }
        $pairs[] = $pair;
    }
    return $pairs;
}

/** Messages that go back and forth on one of many watched streams. */
function revolt_ping_pong(Driver $loop, int $streams, int $messages): void
{
    $pairs = pairs($streams);
    $left = $messages;
    $ids = [];
    foreach ($pairs as [$one, $other]) {
        foreach ([$one, $other] as $stream) {
            $ids[] = $loop->onReadable($stream, function (string $id, $stream) use ($loop, &$left, &$ids): void {
                fread($stream, 8192);
                if (--$left > 0) {
                    fwrite($stream, 'x');
                } else {
                    array_map($loop->cancel(...), $ids);
                }
            });
        }
    }
    fwrite($pairs[0][0], 'x');
    $loop->run();
}

function react_ping_pong(LoopInterface $loop, int $streams, int $messages): void
{
    $pairs = pairs($streams);
    $left = $messages;
    foreach ($pairs as $pair) {
        foreach ($pair as $stream) {
            $loop->addReadStream($stream, function ($stream) use ($loop, &$left, &$pairs): void {
                fread($stream, 8192);
                if (--$left > 0) {
                    fwrite($stream, 'x');
                } else {
                    foreach ($pairs as $pair) {
                        $loop->removeReadStream($pair[0]);
                        $loop->removeReadStream($pair[1]);
                    }
                }
            });
        }
    }
    fwrite($pairs[0][0], 'x');
    $loop->run();
}

$works = [
    'Revolt: message, 1 pair of streams' => [20_000, fn (Driver $loop, int $n) => revolt_ping_pong($loop, 1, $n)],
    'Revolt: message, 100 pairs' => [5_000, fn (Driver $loop, int $n) => revolt_ping_pong($loop, 100, $n)],
    'Revolt: timers' => [20_000, function (Driver $loop, int $n): void {
        for ($i = 0; $i < $n; $i++) {
            $loop->delay(($i % 20) / 1000, static fn () => null);
        }
        $loop->run();
    }],
    'Revolt: deferred calls' => [50_000, function (Driver $loop, int $n): void {
        for ($i = 0; $i < $n; $i++) {
            $loop->defer(static fn () => null);
        }
        $loop->run();
    }],
    'Revolt: queued calls' => [50_000, function (Driver $loop, int $n): void {
        for ($i = 0; $i < $n; $i++) {
            $loop->queue(static fn () => null);
        }
        $loop->run();
    }],
    'Revolt: suspensions' => [20_000, function (Driver $loop, int $n): void {
        $loop->queue(function () use ($loop, $n): void {
            for ($i = 0; $i < $n; $i++) {
                $suspension = $loop->getSuspension();
                $loop->queue($suspension->resume(...));
                $suspension->suspend();
            }
        });
        $loop->run();
    }],
    'React: message, 1 pair of streams' => [20_000, fn (LoopInterface $loop, int $n) => react_ping_pong($loop, 1, $n)],
    'React: message, 100 pairs' => [5_000, fn (LoopInterface $loop, int $n) => react_ping_pong($loop, 100, $n)],
    'React: timers' => [20_000, function (LoopInterface $loop, int $n): void {
        for ($i = 0; $i < $n; $i++) {
            $loop->addTimer(($i % 20) / 1000, static fn () => null);
        }
        $loop->run();
    }],
    'React: future ticks' => [50_000, function (LoopInterface $loop, int $n): void {
        for ($i = 0; $i < $n; $i++) {
            $loop->futureTick(static fn () => null);
        }
        $loop->run();
    }],
];

$slower = 0;
printf("%-36s %12s %14s %8s\n", 'microseconds of CPU each', 'Stampede', 'stream_select', 'ratio');
foreach ($works as $name => [$count, $work]) {
    $count = max(10, (int) ($count * $scale));
    $ours = $theirs = INF;
    for ($round = 0; $round < $rounds; $round++) {
        $revolt = str_starts_with($name, 'Revolt');
        $loop = $revolt ? new RevoltDriver() : new ReactLoop();
        $start = cpu_microseconds();
        $work($loop, $count);
        $ours = min($ours, (cpu_microseconds() - $start) / $count);
        $loop = $revolt ? new StreamSelectDriver() : new StreamSelectLoop();
        $start = cpu_microseconds();
        $work($loop, $count);
        $theirs = min($theirs, (cpu_microseconds() - $start) / $count);
    }
    $slower += $ours > $theirs * 1.05 ? 1 : 0;  // what a round differs from the next
    printf("%-36s %12.2f %14.2f %8.2f\n", $name, $ours, $theirs, $ours / $theirs);
}
exit($smoke || $slower === 0 ? 0 : 1);
