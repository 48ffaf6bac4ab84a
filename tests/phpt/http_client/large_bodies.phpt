--TEST--
Coroutine\Http\Client: bodies of many sizes over one connection, and lengths that do not come true
--FILE--
<?php
use Swoole\Coroutine\Http\Client;
use Swoole\Coroutine\Socket;

/** What stands at a place is found again at no round distance. */
function body_of(int $size): string
{
    static $pattern;
    $pattern ??= implode(',', range(1, 1009));
    return substr(str_repeat($pattern, intdiv($size, strlen($pattern)) + 1), 0, $size);
}

Swoole\Coroutine\run(function () {
    $listener = new Socket(AF_INET, SOCK_STREAM);
    $listener->bind('127.0.0.1');
    $listener->listen();
    $port = $listener->getsockname()['port'];

    echo "-- one connection\n";
    $sizes = [0, 1, 8191, 65536, 65537, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20, 10 << 20, 5];
    go(function () use ($listener, $sizes) {
        $connection = $listener->accept();
        foreach ($sizes as $size) {
            $connection->recv();
            $connection->sendAll("HTTP/1.1 200 OK\r\nContent-Length: $size\r\n\r\n" . body_of($size));
        }
        $connection->recv();
        $connection->sendAll("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" . body_of(100000) . 'too much');
        $connection->recv();
    });
    $client = new Client('127.0.0.1', $port);
    foreach ($sizes as $size) {
        if (!$client->get('/') || $client->body !== body_of($size)) {
            echo "$size: not the same\n";
        }
    }
    var_dump($client->get('/'), $client->body === body_of(100000));

    echo "-- a promise of 120 MB\n";
    $sent = 1500000;
    go(function () use ($listener, $sent) {
        $connection = $listener->accept();
        $connection->recv();
        $connection->sendAll("HTTP/1.1 200 OK\r\nContent-Length: 120000000\r\n\r\n" . str_repeat('x', $sent));
        $connection->close();
    });
    $client = new Client('127.0.0.1', $port);
    $client->set(['max_retries' => 0]);
    memory_reset_peak_usage();
    $before = memory_get_usage();
    var_dump($client->get('/'), $client->statusCode);
    $most = memory_get_peak_usage() - $before;
    echo $most < 10 << 20 ? "little memory\n" : "$most bytes\n";

    echo "-- more than it may be\n";
    go(function () use ($listener) {
        $connection = $listener->accept();
        $connection->recv();
        $connection->sendAll("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" . str_repeat('x', 3000000));
    });
    $client = new Client('127.0.0.1', $port);
    $client->set(['max_retries' => 0, 'package_max_length' => 2000000]);
    var_dump($client->get('/'));
});
?>
--EXPECT--
-- one connection
bool(true)
bool(true)
-- a promise of 120 MB
bool(false)
int(-3)
little memory
-- more than it may be
bool(false)
