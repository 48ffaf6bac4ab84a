--TEST--
Swoole\Async\Client calls back
--FILE--
<?php

use Swoole\Async\Client;

require __DIR__ . '/../client/peer.inc';
$port = echo_server();

$client = new Client(SWOOLE_SOCK_TCP);
try {
    $client->connect('127.0.0.1', $port);
} catch (Swoole\Error $error) {
    echo $error->getMessage(), "\n";
}
var_dump($client instanceof Swoole\Client, @$client->on('nothing', 'strlen'), $client->isConnected(), $client->sleep());
$client->on('connect', function (Client $client) {
    echo "connected\n";
    var_dump($client->isConnected(), $client->send('one'));
});
$client->on('receive', function (Client $client, string $data) {
    echo "received $data\n";
    if ($data === 'one') {
        var_dump($client->sleep(), $client->send('two'));
        Swoole\Timer::after(20, function () use ($client) {
            echo "awake\n";
            var_dump($client->resume());
        });
    } elseif ($data === 'two') {
        $client->send('bye');
    }
});
$client->on('error', function (Client $client) {
    echo "error {$client->errCode}\n";
});
$client->on('Close', function (Client $client) {
    echo "closed\n";
    var_dump($client->isConnected(), $client->close());
});
var_dump($client->connect('127.0.0.1', $port, 5), $client->connect('127.0.0.1', $port));
Swoole\Event::wait();

echo "- refused\n";
$client->connect('127.0.0.1', 1);
Swoole\Event::wait();

echo "- closed by itself, in the callback\n";
$client->on('receive', function (Client $client, string $data) {
    echo "received $data\n";
    var_dump($client->close());
});
$client->connect('127.0.0.1', $port, 5);
Swoole\Event::wait();

echo "- packets, closed from outside\n";
$packets = new Client(SWOOLE_SOCK_TCP);
$packets->set(['open_eof_check' => true, 'package_eof' => ';']);
$packets->on('connect', fn (Client $client) => $client->send('a;bc;d'));
$packets->on('receive', function (Client $client, string $data) {
    echo "received $data\n";
    if ($data === 'bc;') {
        Swoole\Event::defer(fn () => $client->close());
    }
});
$packets->on('error', fn () => print("error\n"));
$packets->on('close', fn () => print("closed\n"));
$packets->connect('127.0.0.1', $port, 5);
Swoole\Event::wait();
unset($client, $packets);
--EXPECT--
The client needs callbacks for connect, receive, error and close: set them by on() first.
bool(true)
bool(false)
bool(false)
bool(false)
bool(true)
bool(false)
connected
bool(true)
int(3)
received one
bool(true)
int(3)
awake
bool(true)
received two
received bye
closed
bool(false)
bool(false)
- refused
error 111
- closed by itself, in the callback
connected
bool(true)
int(3)
received one
closed
bool(false)
bool(false)
bool(true)
- packets, closed from outside
received a;
received bc;
closed
