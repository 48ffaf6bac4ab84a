--TEST--
Coroutine\Server: framing, errors, shutdown
--FILE--
<?php
use Swoole\Coroutine\{Client, Server};
use Swoole\Coroutine\Server\Connection;
Co\run(function () {
    $server = new Server('127.0.0.1', 0);
    var_dump($server->host, $server->port > 0, $server->fd >= 0, $server->type === AF_INET);
    var_dump((new Server('127.0.0.1', 0))->start());
    try {
        new Server('127.0.0.1', $server->port);
    } catch (Swoole\Exception $exception) {
        var_dump($exception->getCode() === SOCKET_EADDRINUSE);
    }
    $server->set(['open_length_check' => true, 'package_length_type' => 'n', 'package_length_offset' => 0, 'package_body_offset' => 2]);
    $server->handle(function (Connection $connection) use ($server) {
        while (is_string($packet = $connection->recv()) && $packet !== '') {
            $connection->send(pack('n', strlen($packet) - 2) . strtoupper(substr($packet, 2)));
        }
        var_dump(get_class($connection->exportSocket()), $connection->close());
        $server->shutdown();
    });
    go(function () use ($server) {
        $client = new Co\Client(SWOOLE_SOCK_TCP);
        $client->set(['open_length_check' => true, 'package_length_type' => 'n', 'package_length_offset' => 0, 'package_body_offset' => 2]);
        $client->connect('127.0.0.1', $server->port, 5);
        $client->send("\0\3abc\0\2");
        $client->send('de');
        var_dump(substr($client->recv(5), 2), substr($client->recv(5), 2), $client->close());
    });
    var_dump($server->start());
});
gc_collect_cycles();  // the functions hold their server
?>
--EXPECT--
string(9) "127.0.0.1"
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
string(3) "ABC"
string(2) "DE"
bool(true)
string(23) "Swoole\Coroutine\Socket"
bool(true)
bool(true)
