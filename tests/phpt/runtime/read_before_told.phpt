--TEST--
Hooks: an event that the loop fetched before a wait began does not end that wait
--FILE--
<?php
use Swoole\Coroutine;

use function Swoole\Coroutine\run;

/** @return array{resource, resource} */
function pair(): array
{
    return stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
}

// The loop serves events in groups: of so many, the first coroutine runs before it comes to the last one's event.
const OTHERS = 40;

run(function (): void {
    [$near, $far] = pair();
    go(function () use ($near): void {
        for ($i = 0; $i < 2; $i++) { // from the second wait on the kernel watches it
            echo fread($near, 100), "\n";
        }
    });
    foreach (['one', 'two'] as $text) {
        fwrite($far, $text);
        Coroutine::sleep(0.001);
    }

    $others = [];
    for ($i = 0; $i < OTHERS; $i++) {
        $others[] = $pair = pair();
        go(function () use ($pair, $i, $near, $far): void {
            fread($pair[0], 1);
            if ($i === 0) {
                echo stream_socket_recvfrom($near, 100), ", of which the loop has an event that it has not come to\n";
                go(function () use ($far): void {
                    Coroutine::sleep(0.02);
                    fwrite($far, 'fourth');
                });
                echo fread($near, 100), "\n";
            }
        });
    }
    foreach ($others as $pair) {
        fwrite($pair[1], '.');
    }
    fwrite($far, 'third');
});
?>
--EXPECT--
one
two
third, of which the loop has an event that it has not come to
fourth
