--TEST--
Coroutine\Socket: accepted sockets read packets as the listening one says; each direction is shut down once
--FILE--
<?php

use Swoole\Coroutine\Socket;

const READING = 0;
const WRITING = 1;

function accepted(array $settings): array
{
    $listener = new Socket(AF_INET, SOCK_STREAM);
    $listener->bind('127.0.0.1');
    $listener->listen();
    $listener->setProtocol($settings);
    $client = new Socket(AF_INET, SOCK_STREAM);
    $client->connect('127.0.0.1', $listener->getsockname()['port']);
    return [$client, $listener->accept(1)];
}

Co\run(function () {
    [$client, $server] = accepted(['open_eof_check' => true, 'package_eof' => ';']);
    $client->send('one;two;');
    var_dump($server->recvPacket(1), $server->recvPacket(1));
    [$client, $server] = accepted(['open_length_check' => true, 'package_length_type' => 'n', 'package_body_offset' => 2, 'package_max_length' => 10]);
    $client->send("\0\3abc\0\1d\0\xffx");
    var_dump(substr($server->recvPacket(1), 2), substr($server->recvPacket(1), 2), $server->recvPacket(1), $server->errCode === SWOOLE_ERROR_PACKAGE_LENGTH_TOO_LARGE);
    [$client, $server] = accepted(['open_length_check' => true, 'package_length_func' => fn (string $bytes) => 4]);
    $client->send('12345678');
    gc_collect_cycles();
    var_dump($server->recvPacket(1), $server->recvPacket(1));
    $server->setProtocol(['open_length_check' => false]);
    $client->send('plain');
    var_dump($server->recvPacket(1));

    [$client, $server] = accepted([]);
    var_dump($client->shutdown(WRITING), $client->shutdown(WRITING), $client->errCode === SOCKET_ENOTCONN);
    var_dump($server->recv(1, 1), $server->shutdown(READING), $server->shutdown(READING));
    var_dump($server->close(), $client->recv(1, 1), $client->shutdown(READING), $client->errCode, $client->shutdown(READING), $client->shutdown());
    $fresh = new Socket(AF_INET, SOCK_STREAM);
    var_dump($fresh->shutdown(READING), $fresh->errCode === SOCKET_ENOTCONN);
});
--EXPECT--
string(4) "one;"
string(4) "two;"
string(3) "abc"
string(1) "d"
bool(false)
bool(true)
string(4) "1234"
string(4) "5678"
string(5) "plain"
bool(true)
bool(false)
bool(true)
string(0) ""
bool(true)
bool(false)
bool(true)
string(0) ""
bool(true)
int(0)
bool(false)
bool(false)
bool(false)
bool(true)
