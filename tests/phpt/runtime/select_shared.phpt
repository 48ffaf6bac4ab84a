--TEST--
Runtime: coroutines that select on the same streams get what another one has left in their buffers, and wait on when nothing is left
--EXTENSIONS--
sockets
--FILE--
<?php
use Swoole\Coroutine;

/** Several wait for the same; one write has a line for each of them but the last. */
function lines(int $readers, int $descriptors, string $way): array
{
    $pairs = [];
    for ($i = 0; $i < $descriptors; $i++) {
        $pairs[] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    }
    [$own, $other] = $pairs[0];
    $heard = [];
    $users = [];
    for ($reader = 0; $reader < $readers; $reader++) {
        $users[] = go(static function () use ($pairs, $own, $way, &$heard): void {
            $read = array_column($pairs, 0);
            $none = null;
            $begin = hrtime(true);
            $ready = match ($way) {
                'seconds alone' => stream_select($read, $none, $none, 1),
                'microseconds' => stream_select($read, $none, $none, 0, 1_000_000),
            };
            $heard[] = match (true) {
                $ready === 1 && $read === [$own] => trim(fgets($own)),
                $ready === 0 && $read === [] && hrtime(true) - $begin > 900_000_000 => 'nothing in a second',
                default => json_encode([$ready, count($read), (hrtime(true) - $begin) / 1e9]),
            };
        });
    }
    fwrite($other, implode(array_map(static fn (int $n): string => "line $n\n", range(1, $readers - 1))));
    Coroutine::join($users);
    sort($heard);
    return $heard;
}

Swoole\Coroutine\run(static function (): void {
    foreach ([[2, 1, 'seconds alone'], [4, 2, 'microseconds'], [4, 20, 'microseconds']] as [$readers, $descriptors, $way]) {
        echo json_encode(lines($readers, $descriptors, $way)), "\n";
    }
    // Read without a select meanwhile, and before the loop has told of it.
    [$own, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    [$idle, $silent] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $second = null;
    $user = go(static function () use ($own, $idle, &$second): void {
        $read = [$idle, $own];
        $none = null;
        $second = stream_select($read, $none, $none, 5) === 1 && $read === [1 => $own] ? fgets($own) : 'none';
    });
    fwrite($other, "one\ntwo\n");
    echo fgets($own);
    Coroutine::join([$user]);
    echo $second;
    // The reader gives way to the others before the stream has what it has read.
    [$own, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    stream_set_chunk_size($own, 150_000);
    $second = null;
    $user = go(static function () use ($own, $idle, &$second): void {
        $read = [$idle, $own];
        $none = null;
        $second = stream_select($read, $none, $none, 5) === 1 && $read === [1 => $own] ? fgets($own) : "none\n";
    });
    fwrite($other, "three\nfour\n" . str_repeat('x', 120_000));
    for ($until = hrtime(true) + 5_000_000; hrtime(true) < $until;) {
    }
    echo fgets($own);
    Coroutine::join([$user]);
    echo $second;
    // Sockets have no buffer of PHP's: the others wait on.
    socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $sockets);
    $heard = [];
    $users = [];
    for ($i = 0; $i < 3; $i++) {
        $users[] = go(static function () use ($sockets, &$heard): void {
            $read = [$sockets[0]];
            $none = null;
            $begin = hrtime(true);
            $ready = socket_select($read, $none, $none, 1);
            $heard[] = $ready === 0 && hrtime(true) - $begin < 900_000_000 ? 'given up early' : ($ready === 1 ? socket_read($sockets[0], 100) : 'nothing');
        });
    }
    socket_write($sockets[1], 'all');
    Coroutine::join($users);
    sort($heard);
    echo json_encode($heard), "\n";
});
?>
--EXPECT--
["line 1","nothing in a second"]
["line 1","line 2","line 3","nothing in a second"]
["line 1","line 2","line 3","nothing in a second"]
one
two
three
four
["all","nothing","nothing"]
