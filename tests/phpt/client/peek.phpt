--TEST--
Swoole\Client: recv() with MSG_PEEK waits for something to look at, and takes nothing away
--FILE--
<?php
use Swoole\Client;

$server = stream_socket_server('tcp://127.0.0.1:0');
$port = (int) substr(strrchr(stream_socket_get_name($server, false), ':'), 1);
Co\run(function () use ($server, $port): void {
    $client = new Client(SWOOLE_SOCK_TCP);
    $client->connect('127.0.0.1', $port, 10);
    $peer = stream_socket_accept($server);
    go(function () use ($client, $peer): void {
        var_dump($client->recv(3, Client::MSG_PEEK));
        var_dump($client->recv(3, Client::MSG_PEEK | Client::MSG_WAITALL), $client->recv(2, Client::MSG_PEEK | Client::MSG_DONTWAIT));
        var_dump($client->recv(5, Client::MSG_WAITALL));
        var_dump($client->recv(1, Client::MSG_PEEK | Client::MSG_DONTWAIT), $client->errCode === SOCKET_EAGAIN);
        $client->set(['read_timeout' => 0.01]);
        var_dump($client->recv(1, Client::MSG_PEEK), $client->errCode === SOCKET_EAGAIN);
    });
    fwrite($peer, 'hello'); // the coroutine waits by now
});
?>
--EXPECT--
string(3) "hel"
string(3) "hel"
string(2) "he"
string(5) "hello"
bool(false)
bool(true)
bool(false)
bool(true)
