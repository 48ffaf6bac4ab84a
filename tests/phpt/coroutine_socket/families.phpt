--TEST--
datagrams, IPv6, unix streams and datagrams, pairs, imported descriptors
--FILE--
<?php

use Swoole\Coroutine\Socket;

Co\run(function () {
    $server = new Socket(AF_INET, SOCK_DGRAM, 0);
    $server->bind('127.0.0.1', 0);
    $client = new Socket(AF_INET, SOCK_DGRAM, 0);
    $client->bind('127.0.0.1', 0);
    var_dump($client->sendto('127.0.0.1', $server->getsockname()['port'], 'one'), $server->recvfrom($peer));
    var_dump($peer === $client->getsockname(), $server->sendto($peer['address'], $peer['port'], 'two'));
    var_dump($client->connect('127.0.0.1', $server->getsockname()['port']), $client->recv(), $client->send('abc') + $client->send('de'));
    var_dump($server->recv(), $server->recv(1), $server->recv(100, 0.01), $server->errCode === SOCKET_ETIMEDOUT);

    $six = new Socket(AF_INET6, SOCK_STREAM, 0);
    if ($six->bind('::1')) {
        $six->listen();
        $client = new Socket(AF_INET6, SOCK_STREAM, 0);
        var_dump($client->connect('::1', $six->getsockname()['port']), $client->getpeername()['address']);
    } else {
        var_dump(true, '::1');  // a machine without IPv6
    }

    $path = sys_get_temp_dir() . '/stampede-' . getmypid();
    $listener = new Socket(AF_UNIX, SOCK_STREAM, 0);
    var_dump($listener->bind("$path.stream"), $listener->listen(), $listener->getsockname()['address'] === "$path.stream");
    $client = new Socket(AF_UNIX, SOCK_STREAM, 0);
    var_dump($client->connect("$path.stream"), $client->send('unix'), $listener->accept()->recv());
    $server = new Socket(AF_UNIX, SOCK_DGRAM, 0);
    $server->bind("$path.dgram");
    $client = new Socket(AF_UNIX, SOCK_DGRAM, 0);
    var_dump($client->sendto("$path.dgram", 0, 'datagram'), $server->recvfrom($peer), $peer['address']);
    array_map(unlink(...), ["$path.stream", "$path.dgram"]);

    [$a, $b] = swoole_coroutine_socketpair(AF_UNIX, SOCK_STREAM, 0);
    var_dump($a->send('pair'), $b->recv(), @swoole_coroutine_socketpair(AF_INET, SOCK_STREAM, 0));

    [$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $socket = Socket::import($right);
    fclose($right);
    fwrite($left, 'imported');
    var_dump($socket->domain === AF_UNIX, $socket->recv(), $socket->send('back'), fread($left, 10));
    $program = proc_open(['cat'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    $input = Socket::import($pipes[0]);
    $output = Socket::import($pipes[1]);
    array_map(fclose(...), $pipes);
    var_dump($input->send('through a pipe'), $output->recv());
    $input->close();
    var_dump($output->recv());
    proc_close($program);
    var_dump(@Socket::import('nonsense'));
});
try {
    new Socket(AF_INET, 99, 0);
} catch (Co\Socket\Exception $exception) {
    echo $exception->getMessage(), ' ', $exception->getCode(), "\n";
}
--EXPECT--
int(3)
string(3) "one"
bool(true)
int(3)
bool(true)
string(3) "two"
int(5)
string(3) "abc"
string(1) "d"
bool(false)
bool(true)
bool(true)
string(3) "::1"
bool(true)
bool(true)
bool(true)
bool(true)
int(4)
string(4) "unix"
int(8)
string(8) "datagram"
string(0) ""
int(4)
string(4) "pair"
bool(false)
bool(true)
string(8) "imported"
int(4)
string(4) "back"
int(14)
string(14) "through a pipe"
string(0) ""
bool(false)
new Socket() failed. Error: Invalid argument [22] 22
