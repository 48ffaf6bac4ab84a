--TEST--
Time limits of clients: the defaults, connect()'s own for all further calls, and a reconnect beside a reader that is still waiting
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Coroutine\Client;
use Swoole\Coroutine\Socket;

// What a call waits at most without a limit of its own, as Coroutine::stats() cannot tell it: the socket's options say it.
function limits(Socket $socket): array
{
    return [$socket->getOption(SOL_SOCKET, SO_RCVTIMEO)['sec'], $socket->getOption(SOL_SOCKET, SO_SNDTIMEO)['sec']];
}

Co\run(function () {
    $listener = new Socket(AF_INET, SOCK_STREAM, 0);
    $listener->bind('127.0.0.1', 0);
    $listener->listen();
    $port = $listener->getsockname()['port'];
    $client = new Client(SWOOLE_SOCK_TCP);
    $client->connect('127.0.0.1', $port);
    echo 'usual: ', json_encode([limits($listener), limits($client->socket), limits($listener->accept())]), "\n";
    $client->close();

    $client->set(['timeout' => 7, 'read_timeout' => 8]);
    $client->connect('127.0.0.1', $port, 0.05);
    $began = microtime(true);
    var_dump($client->recv(), $client->errCode === SOCKET_ETIMEDOUT, microtime(true) - $began < 5);
    $client->set(['timeout' => 3]);
    echo 'set() changes it: ', json_encode(limits($client->socket)), "\n";
    $client->close();
    $client->connect('127.0.0.1', $port);
    echo 'without: ', json_encode(limits($client->socket)), "\n";

    Coroutine::set(['socket_timeout' => 4]);
    echo 'socket_timeout: ', json_encode(limits(new Socket(AF_INET, SOCK_STREAM, 0))), "\n";

    go(function () use ($client) {
        var_dump($client->recv(-1), $client->errCode === SOCKET_ECANCELED, $client->close());
    });
    var_dump($client->close(), $client->connect('127.0.0.1', $port), $client->isConnected());
    $client->close();
});

$server = stream_socket_server('tcp://127.0.0.1:0');
$client = new Swoole\Client(SWOOLE_SOCK_TCP);
$client->connect('127.0.0.1', (int) substr(strrchr(stream_socket_get_name($server, false), ':'), 1), 0.05);
foreach ([[], ['open_eof_check' => true, 'package_eof' => "\n"], ['open_eof_check' => false, 'open_length_check' => true, 'package_length_type' => 'N', 'package_body_offset' => 4]] as $settings) {
    $settings !== [] && $client->set($settings);
    var_dump($client->recv(), $client->errCode === SOCKET_EAGAIN);
}
?>
--EXPECT--
usual: [[60,60],[60,60],[60,60]]
bool(false)
bool(true)
bool(true)
set() changes it: [3,3]
without: [8,3]
socket_timeout: [4,4]
bool(false)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
