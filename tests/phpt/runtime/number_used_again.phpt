--TEST--
Runtime: news of a closed connection that a child still holds is not news of the socket that has its number now
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
Swoole\Coroutine\run(static function (): void {
    $door = stream_socket_server('tcp://127.0.0.1:0');
    $address = 'tcp://' . stream_socket_get_name($door, false);
    $peer = stream_socket_client($address);
    $connection = stream_socket_accept($door, 1);
    // Two wait at once, so that the wait is one of the loop's.
    $both = new Swoole\Coroutine\WaitGroup(2);
    go(static function () use ($both): void {
        usleep(20_000);
        $both->done();
    });
    go(static function () use ($connection, $both): void {
        echo fgets($connection);
        $both->done();
    });
    go(static fn () => fwrite($peer, "first\n"));
    $both->wait();
    // The child keeps the connection that is closed here.
    $child = proc_open(['sleep', '60'], [], $pipes);
    fclose($connection);
    $next = stream_socket_server('tcp://127.0.0.1:0');
    go(static function () use ($peer, $next): void {
        usleep(20_000);
        fwrite($peer, "second\n");
        usleep(400_000);
        stream_socket_client('tcp://' . stream_socket_get_name($next, false)); // whoever waits for ever
    });
    var_dump(@stream_socket_accept($next, 0.2));
    proc_terminate($child, SIGKILL);
    proc_close($child);
});
?>
--EXPECT--
first
bool(false)
