--TEST--
a pair of streams: recv, send, lines, vectors, buffered reads, addresses, the end
--FILE--
<?php

use Swoole\Coroutine\Socket;

Co\run(function () {
    $listener = new Socket(AF_INET, SOCK_STREAM, 0);
    var_dump($listener->domain === AF_INET, $listener->type === SOCK_STREAM, $listener->protocol, $listener->fd > 2);
    var_dump($listener->bind('127.0.0.1'), $listener->listen());
    ['address' => $address, 'port' => $port] = $listener->getsockname();
    var_dump($address, $port > 0);
    $client = new Co\Socket(AF_INET, SOCK_STREAM, 0);
    var_dump($client->getpeername(), $client->errMsg);
    var_dump($client->connect('127.0.0.1', $port), $client->errCode, $client->getpeername()['port'] === $port);
    $server = $listener->accept();
    var_dump($server instanceof Socket, $server->getpeername() == $client->getsockname());

    var_dump($client->send('hello'), $server->recv());
    var_dump($client->send(''), $client->sendAll('0123456789'), $server->recv(4), $server->recvAll(6));
    $client->send("one\ntwo\rthree");
    echo json_encode([$server->recvLine(), $server->recvLine(2), $server->recvLine(), $server->recvLine(5)]), "\n";
    $client->send('abcdef');
    var_dump($server->recvWithBuffer(2), $server->recvWithBuffer(2), $server->recvWithBuffer());
    var_dump($client->writeVector(['x', '', 'yz']), $server->readVector([2, 2, 2]));
    var_dump($client->writeVectorAll(['12', '345']), $server->readVectorAll([1, 4]));
    foreach ([['readVector', []], ['readVector', [0]], ['readVectorAll', ['1']], ['writeVector', [1]], ['writeVectorAll', []]] as [$method, $vector]) {
        try {
            $server->$method($vector);
        } catch (ValueError $error) {
            echo $error->getMessage(), "\n";
        }
    }
    var_dump($server->peek(), $server->errCode === SOCKET_EAGAIN, $server->checkLiveness());
    $client->send('last');
    var_dump($client->shutdown(1), $server->recvAll(100), $server->recv(), $server->recvAll(1), $server->recvLine(), $server->recvPacket(), $server->errCode);
    var_dump($server->checkLiveness(), $server->errCode === SOCKET_ECONNRESET);
    var_dump($client->isClosed(), $client->close(), $client->close(), $client->errCode === SOCKET_EBADF, $client->isClosed(), $client->fd);
    var_dump($client->recv(), $client->errMsg);
});
--EXPECT--
bool(true)
bool(true)
int(0)
bool(true)
bool(true)
bool(true)
string(9) "127.0.0.1"
bool(true)
bool(false)
string(35) "Transport endpoint is not connected"
bool(true)
int(0)
bool(true)
bool(true)
bool(true)
int(5)
string(5) "hello"
int(0)
int(10)
string(4) "0123"
string(6) "456789"
["one\n","tw","o\r","three"]
string(2) "ab"
string(2) "cd"
string(2) "ef"
int(3)
array(2) {
  [0]=>
  string(2) "xy"
  [1]=>
  string(1) "z"
}
int(5)
array(2) {
  [0]=>
  string(1) "1"
  [1]=>
  string(4) "2345"
}
The vector must have 1 to 1024 parts.
The vector must consist of whole numbers above zero: the sizes of its parts.
The vector must consist of whole numbers above zero: the sizes of its parts.
The vector must consist of strings, at least 1 and at most 1024.
The vector must consist of strings, at least 1 and at most 1024.
bool(false)
bool(true)
bool(true)
bool(true)
string(4) "last"
string(0) ""
string(0) ""
string(0) ""
string(0) ""
int(0)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(true)
int(-1)
bool(false)
string(19) "Bad file descriptor"
