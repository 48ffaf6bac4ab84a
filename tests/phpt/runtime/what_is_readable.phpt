--TEST--
Hooks: what a look at a stream or its end has told is not asked again, and not believed for longer than it is true
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Coroutine\Channel;

use function Swoole\Coroutine\run;

/** @return array{resource, resource} over TCP, whose end the kernel tells of */
function connected(): array
{
    $listener = stream_socket_server('tcp://127.0.0.1:0');
    $ours = stream_socket_client('tcp://' . stream_socket_get_name($listener, false));
    return [$ours, stream_socket_accept($listener)];
}

function readable($stream, float $seconds): bool
{
    $read = [$stream];
    $none = [];
    return stream_select($read, $none, $none, (int) $seconds, (int) (fmod($seconds, 1) * 1e6)) === 1;
}

run(function (): void {
    [$ours, $theirs] = connected();
    fwrite($theirs, 'first');
    echo "something there, seen by feof(): ", json_encode(feof($ours)), ' ', fread($ours, 100), "\n";

    fwrite($theirs, 'second');
    readable($ours, 5);
    feof($ours); // has seen it
    $done = new Channel(1);
    go(function () use ($ours, $done): void {
        $done->push(stream_socket_recvfrom($ours, 100));
    });
    echo 'another one has taken it: ', $done->pop(), "\n";
    go(function () use ($theirs): void {
        Coroutine::sleep(0.01);
        fwrite($theirs, 'third');
    });
    echo 'so this waits, with the loop running: ', fread($ours, 100), "\n";

    go(function () use ($theirs): void {
        Coroutine::sleep(0.01);
        fwrite($theirs, 'last');
        stream_socket_shutdown($theirs, STREAM_SHUT_WR);
    });
    echo 'readable ', json_encode(readable($ours, 5)), ': ', fread($ours, 100), "\n";
    for ($i = 0; $i < 3; $i++) {
        echo 'the end stays readable: ', json_encode(readable($ours, 5)), ' ', json_encode(fread($ours, 100)), ' ', json_encode(feof($ours)), "\n";
    }
    echo 'and the other direction goes on: ', fwrite($ours, 'answer'), ' ', fread($theirs, 100), "\n";
    fclose($ours);
    fclose($theirs);

    // The same numbers again: nothing of the old ones is left.
    [$ours, $theirs] = connected();
    echo 'a new one: ', json_encode(readable($ours, 0.01)), ' ', json_encode(feof($ours)), "\n";
    go(function () use ($theirs): void {
        Coroutine::sleep(0.01);
        fwrite($theirs, 'fourth');
    });
    echo fread($ours, 100), "\n";
});
?>
--EXPECT--
something there, seen by feof(): false first
another one has taken it: second
so this waits, with the loop running: third
readable true: last
the end stays readable: true "" true
the end stays readable: true "" true
the end stays readable: true "" true
and the other direction goes on: 6 answer
a new one: false false
fourth
