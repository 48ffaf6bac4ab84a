--TEST--
Swoole\Async\Client: what the connection does not take is kept; datagrams; ports
--FILE--
<?php

use Swoole\Async\Client;
use Swoole\Coroutine\Socket;

$listener = new Socket(AF_INET, SOCK_STREAM);
$listener->bind('127.0.0.1');
$listener->listen();
$port = $listener->getsockname()['port'];
$connections = new Swoole\Coroutine\Channel(10);
function client(array $settings): Client
{
    $client = new Client(SWOOLE_SOCK_TCP);
    $client->set($settings);
    $client->on('connect', fn (Client $client) => $GLOBALS['ready']->push(true));
    $client->on('receive', fn (Client $client, string $data) => print("received $data\n"));
    $client->on('error', fn () => print("error\n"));
    $client->on('close', fn () => print("closed\n"));
    $client->on('bufferFull', fn () => print('full in a coroutine: ' . var_export(Co::getCid() > 0, true) . "\n"));
    $client->on('bufferEmpty', fn () => print("empty\n"));
    return $client;
}

Co\run(function () use ($listener, $port) {
    global $ready;
    $ready = new Swoole\Coroutine\Channel(10);
    $client = client(['socket_buffer_size' => 1 << 20]);
    $client->connect('127.0.0.1', $port, 0.5);
    $connection = $listener->accept(5);
    $ready->pop(5);
    $piece = str_repeat('x', 100_000);
    for ($taken = 0; $client->send($piece) !== false; $taken++);
    var_dump($taken > 10, $client->errCode === SWOOLE_ERROR_OUTPUT_BUFFER_OVERFLOW);
    Co::sleep(0.6);  // the time of connect() does not count any more
    var_dump($client->isConnected(), strlen($connection->recvAll($taken * 100_000, 10)) === $taken * 100_000, $client->send('more'), $connection->recv(100, 5));

    echo "- closed when all is sent\n";
    for ($i = 0; $i < 5; $i++) {
        $client->send($piece . $piece);
    }
    while ($client->send($piece) !== false);
    var_dump($client->close(), $client->send('late'));
    $received = $connection->recvAll(1 << 30, 10);
    var_dump(strlen($received) % 100_000 === 0, strlen($received) > 1_000_000, $client->isConnected());

    echo "- closed at once, and connected again\n";
    $client->connect('127.0.0.1', $port, 0.5);
    $connection = $listener->accept(5);
    $ready->pop(5);
    while ($client->send($piece) !== false);
    var_dump($client->close(true), $client->isConnected());
    do {
        Co::sleep(0.001);
    } while (!$client->connect('127.0.0.1', $port, 0.5));
    $connection = $listener->accept(5);
    $ready->pop(5);
    var_dump($client->send('anew'), $connection->recv(100, 5));
    $connection->close();
});
Co\run(function () use ($port, $listener) {
    echo "- datagrams\n";
    $server = new Socket(AF_INET, SOCK_DGRAM);
    $server->bind('127.0.0.1');
    $client = new Client(SWOOLE_SOCK_UDP);
    try {
        $client->connect('127.0.0.1', $server->getsockname()['port']);
    } catch (Swoole\Error $error) {
        echo $error->getMessage(), "\n";
    }
    $client->on('receive', function (Client $client, string $data) {
        echo "received $data\n";
        $client->close();
    });
    var_dump($client->connect('127.0.0.1', $server->getsockname()['port']), $client->send('hello'), $server->recvfrom($peer, 5));
    $server->sendto($peer['address'], $peer['port'], 'back');

    echo "- ports\n";
    $client = client([]);
    foreach ([0, 65536] as $bad) {
        var_dump($client->connect('127.0.0.1', $bad), $client->errCode === SWOOLE_ERROR_INVALID_PARAMS);
    }
});
?>
--EXPECT--
full in a coroutine: true
bool(true)
bool(true)
empty
bool(true)
bool(true)
int(4)
string(4) "more"
- closed when all is sent
full in a coroutine: true
bool(true)
bool(false)
empty
closed
bool(true)
bool(true)
bool(false)
- closed at once, and connected again
full in a coroutine: true
closed
bool(true)
bool(false)
int(4)
string(4) "anew"
closed
- datagrams
The client needs a callback for receive: set it by on() first.
bool(true)
int(5)
string(5) "hello"
- ports
bool(false)
bool(true)
bool(false)
bool(true)
received back
