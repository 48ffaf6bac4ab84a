<?php

declare(strict_types=1);

/* Two coroutines that wait in turns; after_end: coroutines that the loop starts after the last line. The lines named in comments are looked for by the test. */

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;

function add(int $left, int $right): int
{
    $sum = $left + $right;  // inside
    return $sum;
}

if (in_array('after_end', $argv, true)) {
    Swoole\Timer::after(1, static function (): void {
        echo "first\n";
        Coroutine::sleep(0.02);
        echo "third\n";
    });
    Swoole\Timer::after(10, static function (): void {
        echo "second\n";
    });
    echo "script ends\n";
    return;
}
$traced = in_array('trace', $argv, true);
$covered = in_array('cover', $argv, true);
if ($traced) {
    xdebug_start_trace($argv[2], XDEBUG_TRACE_COMPUTERIZED);
}
if ($covered) {
    xdebug_start_code_coverage();
}

Swoole\Coroutine\run(function (): void {
    $channel = new Channel(1);
    Coroutine::create(function () use ($channel): void {
        $mine = 'first';
        $got = $channel->pop();
        $mine .= ', resumed';  // break here
        $sum = add(20, 22);  // step over this
        $mine .= ", $sum";  // behind the step
        Coroutine::sleep(0.005);
        $mine .= ', awake';  // behind the sleep
        echo $got, ' ', $mine, "\n";
    });
    Coroutine::create(function () use ($channel): void {
        $mine = 'second';
        Coroutine::sleep(0.01);
        $channel->push('value');
        echo $mine, "\n";
    });
});

if ($covered) {
    echo json_encode(xdebug_get_code_coverage()[__FILE__]), "\n";
}
if ($traced) {
    xdebug_stop_trace();
}
