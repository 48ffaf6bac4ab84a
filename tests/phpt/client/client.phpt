--TEST--
Swoole\Client blocks outside coroutines and parks inside
--FILE--
<?php

require __DIR__ . '/peer.inc';
$port = echo_server();

/** Until both are there. */
function selected(array &$read, array &$write): int
{
    [$all_read, $all_write] = [$read, $write];
    $nothing = null;
    do {
        [$read, $write] = [$all_read, $all_write];
        $count = swoole_client_select($read, $write, $nothing, 5);
    } while ($count === 1);
    return $count;
}

$client = new Swoole\Client(SWOOLE_SOCK_TCP);
var_dump($client->type, $client->sock, $client->reuse, $client->id, $client->setting, $client->isConnected());
var_dump($client->send('x'), $client->errCode === SWOOLE_ERROR_CLIENT_NO_CONNECTION, $client->recv(), $client->close(), $client->shutdown(1), $client->getsockname());
var_dump($client->connect('localhost', $port, 5.0), $client->isConnected(), $client->sock > 2, $client->getpeername() === ['host' => '127.0.0.1', 'port' => $port]);
var_dump($client->send('hello'), $client->recv(2), $client->recv(), $client->connect('localhost', $port));
$client->send('0123456789');
var_dump($client->recv(4, Swoole\Client::MSG_WAITALL), $client->recv(3, Swoole\Client::MSG_PEEK), $client->recv());
$client->set(['open_length_check' => true, 'package_length_type' => 'C', 'package_body_offset' => 1, 'read_timeout' => 0.05]);
$client->send("\3abc\2d");
var_dump(substr($client->recv(), 1), $client->recv(), $client->errCode === SOCKET_EAGAIN);
$client->send('e');
var_dump(substr($client->recv(), 1), $client->close(), $client->sock);

$client = new Swoole\Client(SWOOLE_SOCK_TCP | SWOOLE_KEEP, SWOOLE_SOCK_SYNC, 'mine');
var_dump($client->connect('127.0.0.1', $port, 5), $client->id, $client->reuse);
$local = $client->getsockname();
$client->close();
$other = new Swoole\Client(SWOOLE_SOCK_TCP | SWOOLE_KEEP, SWOOLE_SOCK_SYNC, 'mine');
var_dump($other->connect('127.0.0.1', $port, 5), $other->reuse, $other->reuseCount, $other->getsockname() === $local);
$third = new Swoole\Client(SWOOLE_SOCK_TCP | SWOOLE_KEEP, SWOOLE_SOCK_SYNC, 'third');
var_dump($third->connect('127.0.0.1', $port, 5), $third->reuse);
$other->send('one');
$nothing = null;
$read = ['other' => $other, 'third' => $third];
$write = [$third];
var_dump(selected($read, $write), array_keys($read), count($write), $other->recv());
$read = [$other, $third];
$write = [];
var_dump(swoole_select($read, $write, $nothing, 0.01), $read, @swoole_client_select($write, $write, $nothing, 0.01));
$other->send('bye');
var_dump($other->recv(), $other->recv(), $other->isConnected(), $other->close(true), $third->close(true));

var_dump($client->connect('127.0.0.1', 1, 1), $client->errCode === SOCKET_ECONNREFUSED);
try {
    new Swoole\Client(SWOOLE_SOCK_TCP, true);
} catch (Swoole\Error $error) {
    echo $error->getMessage(), "\n";
}
Co\run(function () use ($port) {
    $order = [];
    for ($i = 0; $i < 2; $i++) {
        go(function () use ($port, $i, &$order) {
            $client = new Swoole\Client(SWOOLE_SOCK_TCP);
            $client->connect('127.0.0.1', $port, 5);
            $order[] = "connected $i";
            $client->send("from $i");
            $order[] = "received {$client->recv()}";
            $read = [$client];
            $none = [];
            $order[] = 'selected ' . swoole_client_select($read, $none, $none, 0.01);
        });
    }
    Co::sleep(0.1);
    // Both were connected before the first had its answer.
    sort($order);
    echo implode(', ', $order), "\n";
});
--EXPECTF--
int(1)
int(-1)
bool(false)
NULL
NULL
bool(false)
bool(false)
bool(true)
bool(false)
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)

Warning: Swoole\Client::connect(): connection to the server has already been established in %s on line %d
int(5)
string(2) "he"
string(3) "llo"
bool(false)
string(4) "0123"
string(3) "456"
string(6) "456789"
string(3) "abc"
bool(false)
bool(true)
string(2) "de"
bool(true)
int(-1)
bool(true)
string(4) "mine"
bool(false)
bool(true)
bool(true)
int(1)
bool(true)
bool(true)
bool(false)
int(2)
array(1) {
  [0]=>
  string(5) "other"
}
int(1)
string(3) "one"
int(0)
array(0) {
}
bool(false)
string(3) "bye"
string(0) ""
bool(false)
bool(true)
bool(true)

Warning: Swoole\Client::connect(): connect to server[127.0.0.1:1] failed. Error: Connection refused [111] in %s on line %d
bool(false)
bool(true)
Swoole\Client blocks: use Swoole\Async\Client or Swoole\Coroutine\Client.
connected 0, connected 1, received from 0, received from 1, selected 0, selected 0
