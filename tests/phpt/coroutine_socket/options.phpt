--TEST--
setOption, getOption and the time limits
--FILE--
<?php

use Swoole\Coroutine\Socket;

Co\run(function () {
    $socket = new Socket(AF_INET, SOCK_STREAM, 0);
    var_dump($socket->setOption(SOL_SOCKET, SO_REUSEADDR, 1), $socket->getOption(SOL_SOCKET, SO_REUSEADDR));
    var_dump($socket->setOption(SOL_TCP, TCP_NODELAY, true), $socket->getOption(SOL_TCP, TCP_NODELAY));
    var_dump($socket->setOption(SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 7]), $socket->getOption(SOL_SOCKET, SO_LINGER));
    var_dump($socket->setOption(SOL_SOCKET, SO_RCVTIMEO, ['sec' => 0, 'usec' => 20_000]), $socket->getOption(SOL_SOCKET, SO_RCVTIMEO));
    $socket->setOption(SOL_SOCKET, SO_RCVTIMEO, ['sec' => 1, 'usec' => 5_000]);
    echo json_encode($socket->getOption(SOL_SOCKET, SO_RCVTIMEO)), "\n"; // not 4999
    var_dump($socket->setOption(999, 999, 1), $socket->errMsg, $socket->getOption(999, 999));
    try {
        $socket->setOption(SOL_SOCKET, SO_LINGER, 5);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
    $datagrams = new Socket(AF_INET, SOCK_DGRAM, 0);
    var_dump($datagrams->setOption(IPPROTO_IP, IP_MULTICAST_TTL, 3), $datagrams->getOption(IPPROTO_IP, IP_MULTICAST_TTL));
    var_dump($datagrams->setOption(IPPROTO_IP, 42, ['group' => '224.0.0.23', 'interface' => 'lo']));  // MCAST_JOIN_GROUP

    [$a, $b] = swoole_coroutine_socketpair(AF_UNIX, SOCK_STREAM, 0);
    $a->setOption(SOL_SOCKET, SO_RCVTIMEO, ['sec' => 0, 'usec' => 10_000]);
    var_dump($a->recv(), $a->errCode === SOCKET_ETIMEDOUT, $a->errMsg);
    $b->send('x');
    var_dump($a->recv(), $a->errCode, $a->errMsg);
    $a->setProtocol(['read_timeout' => 0.01, 'write_timeout' => 0.01]);
    var_dump($a->recvAll(10), $a->errCode === SOCKET_ETIMEDOUT);
    $b->send('part');
    var_dump($a->recvAll(10), $a->errCode === SOCKET_ETIMEDOUT);
    $sent = $a->sendAll(str_repeat('x', 10_000_000));
    var_dump($sent > 0 && $sent < 10_000_000, $a->errCode === SOCKET_ETIMEDOUT);
    Co::set(['socket_read_timeout' => 0.01]);
    [$a, $b] = swoole_coroutine_socketpair(AF_UNIX, SOCK_STREAM, 0);
    var_dump($a->recv(), $a->errCode === SOCKET_ETIMEDOUT);
});
--EXPECT--
bool(true)
int(1)
bool(true)
int(1)
bool(true)
array(2) {
  ["l_onoff"]=>
  int(1)
  ["l_linger"]=>
  int(7)
}
bool(true)
array(2) {
  ["sec"]=>
  int(0)
  ["usec"]=>
  int(20000)
}
{"sec":1,"usec":5000}
bool(false)
string(22) "Protocol not available"
bool(false)
The value of this option must be an array with l_onoff and l_linger.
bool(true)
int(3)
bool(true)
bool(false)
bool(true)
string(20) "Connection timed out"
string(1) "x"
int(0)
string(0) ""
bool(false)
bool(true)
string(4) "part"
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
