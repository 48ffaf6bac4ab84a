--TEST--
Hooks: a connect waits in its coroutine unless the socket is non-blocking when it is made
--EXTENSIONS--
sockets
--FILE--
<?php
use Swoole\Coroutine;

use function Swoole\Coroutine\run;

$path = tempnam('/tmp', 'modes');
unlink($path);

/** Connects where there is no room, which takes as long as nobody makes any; afterwards it is full again. */
function connect(Socket $socket, Socket $door, string $path): string
{
    $made = false;
    go(static function () use ($door, &$made): void {
        Coroutine::sleep(0.01);
        socket_accept($door);
        $made = true;
    });
    if (@socket_connect($socket, $path)) {
        return $made ? 'waited' : 'found room';
    }
    $error = socket_last_error($socket) === SOCKET_EAGAIN ? 'refused at once' : socket_strerror(socket_last_error($socket));
    while (!$made) {
        Coroutine::sleep(0.001);
    }
    socket_connect(socket_create(AF_UNIX, SOCK_STREAM, 0), $path);
    return $error;
}

run(static function () use ($path): void {
    $door = socket_create(AF_UNIX, SOCK_STREAM, 0);
    socket_bind($door, $path);
    socket_listen($door, 0);
    $first = socket_create(AF_UNIX, SOCK_STREAM, 0);
    socket_connect($first, $path);

    echo 'as it was made: ', connect(socket_create(AF_UNIX, SOCK_STREAM, 0), $door, $path), "\n";
    $socket = socket_create(AF_UNIX, SOCK_STREAM, 0);
    socket_set_nonblock($socket);
    echo 'non-blocking: ', connect($socket, $door, $path), "\n";
    socket_set_block($socket);
    echo 'blocking again: ', connect($socket, $door, $path), "\n";
    $socket = socket_create(AF_UNIX, SOCK_STREAM, 0);
    socket_set_nonblock($socket);
    socket_close($socket);
    unset($socket);
    echo 'its number used again: ', connect(socket_create(AF_UNIX, SOCK_STREAM, 0), $door, $path), "\n";
});
unlink($path);
?>
--EXPECT--
as it was made: waited
non-blocking: refused at once
blocking again: waited
its number used again: waited
