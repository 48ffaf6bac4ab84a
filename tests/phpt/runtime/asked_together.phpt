--TEST--
Hooks: many that wait for the first time are asked together, and each gets what is its own
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Coroutine\Channel;

use function Swoole\Coroutine\run;

const MANY = 12;

/** @return array{resource, resource} */
function pair(): array
{
    return stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
}

/** Starts a coroutine that takes a line, and has begun to wait for it when this returns. */
function reader(array $pair, int|string $name, Channel $lines): int
{
    return Coroutine::create(static function () use ($pair, $name, $lines): void {
        try {
            $line = fgets($pair[0]);
        } catch (Swoole\Error) { // the number that it read from is another's by now
            $line = false;
        }
        $lines->push([$name, is_string($line) ? trim($line) : $line]);
    });
}

/** @return array<int|string, string|false> by name */
function collect(Channel $lines, int $count): array
{
    $all = [];
    while (count($all) < $count) {
        [$name, $line] = $lines->pop();
        $all[$name] = $line;
    }
    ksort($all);
    return $all;
}

run(function (): void {
    $lines = new Channel(100);
    $pairs = array_map(pair(...), range(1, MANY));

    foreach ($pairs as $i => $pair) {
        reader($pair, $i, $lines);
    }
    foreach ($pairs as $i => [, $peer]) {
        fwrite($peer, "first $i\n");
    }
    echo 'there at once: ', implode(', ', collect($lines, MANY)), "\n";

    // Known by now: whoever waits again is told by the kernel.
    foreach ($pairs as $i => $pair) {
        reader($pair, $i, $lines);
    }
    go(static function () use ($pairs): void {
        Coroutine::sleep(0.01);
        foreach ($pairs as $i => [, $peer]) {
            fwrite($peer, "second $i\n");
        }
    });
    echo 'later: ', implode(', ', collect($lines, MANY)), "\n";

    // Some have nothing yet when all are asked.
    $pairs = array_map(pair(...), range(1, MANY));
    foreach ($pairs as $i => $pair) {
        reader($pair, $i, $lines);
    }
    echo 'watched otherwise meanwhile: ', json_encode(@Swoole\Event::add($pairs[1][0], static fn () => null)), "\n";
    foreach ($pairs as $i => [, $peer]) {
        if ($i % 2 === 0) {
            fwrite($peer, "even $i\n");
        }
    }
    echo 'there: ', implode(', ', collect($lines, MANY / 2)), "\n";
    foreach ($pairs as $i => [, $peer]) {
        if ($i % 2 === 1) {
            fwrite($peer, "odd $i\n");
        }
    }
    echo 'not yet there: ', implode(', ', collect($lines, MANY / 2)), "\n";

    // Before they are asked one is cancelled, one is closed and its number is another's, one has met the end of its peer.
    $pairs = array_map(pair(...), range(1, MANY));
    $cids = [];
    foreach ($pairs as $i => $pair) {
        $cids[$i] = reader($pair, $i, $lines);
    }
    Coroutine::cancel($cids[0]);
    fclose($pairs[1][0]);
    $next = pair();
    reader($next, 'next', $lines);
    fclose($pairs[2][1]);
    foreach (array_slice($pairs, 3) as $i => [, $peer]) {
        fwrite($peer, 'other ' . $i + 3 . "\n");
    }
    fwrite($next[1], "its own\n");
    echo json_encode(collect($lines, MANY + 1)), "\n";

    // What a script waits for without an answer keeps its time.
    $pairs = array_map(pair(...), range(1, MANY));
    foreach ($pairs as $i => $pair) {
        stream_set_timeout($pair[0], 0, 20_000);
        reader($pair, $i, $lines);
    }
    echo 'out of time: ', json_encode(array_unique(collect($lines, MANY))), ' ', Coroutine::stats()['coroutine_num'], "\n";
});
?>
--EXPECT--
there at once: first 0, first 1, first 2, first 3, first 4, first 5, first 6, first 7, first 8, first 9, first 10, first 11
later: second 0, second 1, second 2, second 3, second 4, second 5, second 6, second 7, second 8, second 9, second 10, second 11
watched otherwise meanwhile: false
there: even 0, even 2, even 4, even 6, even 8, even 10
not yet there: odd 1, odd 3, odd 5, odd 7, odd 9, odd 11
{"0":false,"1":false,"2":false,"3":"other 3","4":"other 4","5":"other 5","6":"other 6","7":"other 7","8":"other 8","9":"other 9","10":"other 10","11":"other 11","next":"its own"}
out of time: [false] 2
