--TEST--
Waits with a limit that no clock reaches: they wait, instead of returning at once
--EXTENSIONS--
pcntl
sockets
--FILE--
<?php
use Swoole\Coroutine as Co;

$waits = [
    'stream_select()' => function (int $seconds): mixed {
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $read = [$pair[0]];
        $none = null;
        return @stream_select($read, $none, $none, $seconds);
    },
    'socket_select()' => function (int $seconds): mixed {
        socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $pair);
        $read = [$pair[0]];
        $none = null;
        return @socket_select($read, $none, $none, $seconds);
    },
    'SO_RCVTIMEO' => function (int $seconds): mixed {
        socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $pair);
        socket_set_option($pair[0], SOL_SOCKET, SO_RCVTIMEO, ['sec' => min($seconds, 9_300_000_000), 'usec' => 0]);
        return @socket_read($pair[0], 1);
    },
    'time_nanosleep()' => fn (int $seconds): mixed => time_nanosleep($seconds, 0),
    'pcntl_sigtimedwait()' => function (int $seconds): mixed {
        pcntl_sigprocmask(SIG_BLOCK, [SIGUSR1]);
        return @pcntl_sigtimedwait([SIGUSR1], $info, $seconds);
    },
    'limit_computing()' => function (float $seconds): mixed {
        Stampede\limit_computing($seconds, fn () => print("limited\n"));
        return Co::yield();
    },
];
Co\run(function () use ($waits): void {
    foreach ($waits as $name => $wait) {
        foreach ([PHP_INT_MAX, 9_300_000_000] as $seconds) {
            $returned = 0;
            $cid = go(function () use ($wait, $seconds, &$returned): void {
                $wait($seconds);
                $returned++;
            });
            Co::sleep(0.001); // a limit in the past is over by then
            printf("%s: %s\n", $name, $returned === 0 ? 'waits' : 'has returned');
            Co::cancel($cid);
            Co::join([$cid]);
        }
    }
});
?>
--EXPECT--
stream_select(): waits
stream_select(): waits
socket_select(): waits
socket_select(): waits
SO_RCVTIMEO: waits
SO_RCVTIMEO: waits
time_nanosleep(): waits
time_nanosleep(): waits
pcntl_sigtimedwait(): waits
pcntl_sigtimedwait(): waits
limit_computing(): waits
limit_computing(): waits
