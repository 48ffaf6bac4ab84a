--TEST--
Coroutine\Client: life of a connection, its properties and errors
--FILE--
<?php

use Swoole\Coroutine;
use Swoole\Coroutine\Client;
use Swoole\Coroutine\Socket;

function serve(): Socket
{
    $listener = new Socket(AF_INET, SOCK_STREAM, 0);
    $listener->bind('127.0.0.1');
    $listener->listen();
    go(function () use ($listener) {
        while ($connection = $listener->accept(-1)) {
            go(function () use ($connection) {
                while (($bytes = $connection->recv(65536, -1)) !== '' && $bytes !== false) {
                    $connection->sendAll($bytes);
                }
            });
        }
    });
    return $listener;
}

Co\run(function () {
    $listener = serve();
    $port = $listener->getsockname()['port'];
    $client = new Client(SWOOLE_SOCK_TCP);
    var_dump($client->type, $client->fd, $client->socket, $client->setting, $client->connected, $client->isConnected());
    foreach (['send' => ['x'], 'recv' => [], 'peek' => [], 'sendfile' => [__FILE__], 'getsockname' => [], 'getpeername' => [], 'enableSSL' => [], 'getPeerCert' => [], 'close' => [], 'exportSocket' => []] as $method => $arguments) {
        $client->errCode = 0;
        if ($client->$method(...$arguments) !== false || $client->errCode !== SWOOLE_ERROR_CLIENT_NO_CONNECTION) {
            echo "$method() without connection\n";
        }
    }
    var_dump($client->set([]), $client->set(['timeout' => 5]), $client->set(['open_eof_check' => true, 'package_eof' => '!']), count($client->setting));
    var_dump($client->connect('localhost', $port), $client->errCode, $client->errMsg, $client->connected, $client->fd === $client->socket->fd);
    var_dump($client->connect('localhost', $port), $client->errCode === SOCKET_EISCONN);
    var_dump($client->getpeername() === ['host' => '127.0.0.1', 'port' => $port], $client->getsockname()['port'] > 0);
    var_dump($client->send('one!two!thr'), $client->recv(), $client->peek(4), $client->recv(), $client->recv(0.01), $client->errCode === SOCKET_ETIMEDOUT, $client->errMsg);
    var_dump($client->send('ee!'), $client->recv(), $client->errCode, $client->errMsg);
    $socket = $client->exportSocket();
    var_dump($socket === $client->socket, $socket->send('by the socket!'), $client->recv());
    go(function () use ($client) { var_dump($client->recv(-1), $client->errCode === SOCKET_ECANCELED); });
    var_dump($client->close(), $client->isConnected(), $client->fd, $client->socket, $socket->isClosed());
    Coroutine::sleep(0.001);
    var_dump($client->close(), $client->connect('127.0.0.1', $port), $client->send('again!'), $client->recv());
    $client = new Client(SWOOLE_SOCK_TCP);
    var_dump($client->connect('127.0.0.1', 1), $client->errCode === SOCKET_ECONNREFUSED, $client->errMsg, swoole_last_error() === SOCKET_ECONNREFUSED);
    var_dump($client->connect(''), $client->connect('127.0.0.1', 70000), $client->errMsg);
    $client->set(['bind_address' => '127.0.0.1', 'bind_port' => 0]);
    var_dump($client->connect('127.0.0.1', $port));
    $inheritor = new class (SWOOLE_SOCK_TCP) extends Client {
        public string $own = 'mine';
    };
    var_dump($inheritor->connect('127.0.0.1', $port), $inheritor->own, $inheritor->send('x'), $inheritor->recv());

    $one = new Client(SWOOLE_SOCK_UDP);
    $other = new Client(SWOOLE_SOCK_UDP);
    $other->set(['bind_address' => '127.0.0.1', 'bind_port' => 0]);
    var_dump($one->sendto('127.0.0.1', $port, 'nobody'), $one->getsockname()['port'] > 0);
    $receiver = new Socket(AF_INET, SOCK_DGRAM, 0);
    $receiver->bind('127.0.0.1');
    var_dump($one->sendto('127.0.0.1', $receiver->getsockname()['port'], 'datagram'), $receiver->recvfrom($peer));
    var_dump($receiver->sendto('127.0.0.1', $peer['port'], 'answer'), $one->recvfrom(100, $address, $from), $address, $from === $receiver->getsockname()['port']);
    var_dump($other->connect('127.0.0.1', $receiver->getsockname()['port']), $other->send('hello'), $receiver->recvfrom($peer));
    try {
        new Client(99);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
    $listener->close();
});
--EXPECT--
int(1)
int(-1)
NULL
NULL
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
int(3)
bool(true)
int(0)
string(0) ""
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
int(11)
string(4) "one!"
string(4) "two!"
string(4) "two!"
bool(false)
bool(true)
string(20) "Connection timed out"
int(3)
string(6) "three!"
int(0)
string(0) ""
bool(true)
int(14)
string(14) "by the socket!"
bool(true)
bool(false)
int(-1)
NULL
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
int(6)
string(6) "again!"
bool(false)
bool(true)
string(18) "Connection refused"
bool(true)
bool(false)
bool(false)
string(8) "bad port"
bool(true)
bool(true)
string(4) "mine"
int(1)
string(1) "x"
bool(true)
bool(true)
bool(true)
string(8) "datagram"
int(6)
string(6) "answer"
string(9) "127.0.0.1"
bool(true)
bool(true)
int(5)
string(5) "hello"
Swoole\Coroutine\Client::__construct(): Argument #1 ($type) must be one of SWOOLE_SOCK_TCP, SWOOLE_SOCK_UDP ...
