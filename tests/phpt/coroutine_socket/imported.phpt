--TEST--
Coroutine\Socket: an imported stream is closed with the object; options of multicasts and packets
--FILE--
<?php
use Swoole\Coroutine\Socket;

Co\run(function () {
    $listener = stream_socket_server('tcp://127.0.0.1:0');
    $peer = stream_socket_client('tcp://' . stream_socket_get_name($listener, false));
    $stream = stream_socket_accept($listener);
    $socket = Socket::import($stream);
    var_dump($socket->send('hello'), fread($peer, 100));
    fwrite($stream, 'both');
    var_dump(fread($peer, 100), $socket->close());
    stream_set_timeout($peer, 5);
    var_dump(fread($peer, 100), feof($peer));
    fclose($stream);
    // An object that only goes leaves the stream as it is.
    $peer = stream_socket_client('tcp://' . stream_socket_get_name($listener, false));
    $stream = stream_socket_accept($listener);
    $socket = Socket::import($stream);
    unset($socket);
    fwrite($stream, 'still there');
    var_dump(fread($peer, 100));

    $datagrams = new Socket(AF_INET, SOCK_DGRAM, 0);
    $multicast = 32;  // IP_MULTICAST_IF
    var_dump($datagrams->setOption(IPPROTO_IP, $multicast, 1), $datagrams->getOption(IPPROTO_IP, $multicast));
    var_dump($datagrams->setOption(IPPROTO_IP, $multicast, 0), $datagrams->getOption(IPPROTO_IP, $multicast));
    var_dump($datagrams->setOption(IPPROTO_IP, $multicast, 'lo'), $datagrams->getOption(IPPROTO_IP, $multicast));
    var_dump($datagrams->setOption(IPPROTO_IP, $multicast, 99999), $datagrams->errCode === SOCKET_ENODEV);
    $datagrams = new Socket(AF_INET6, SOCK_DGRAM, 0);
    $info = 50;  // IPV6_PKTINFO
    var_dump($datagrams->setOption(IPPROTO_IPV6, $info, ['addr' => '::1', 'ifindex' => 1]));
    foreach ([['addr' => '::1'], ['addr' => '127.0.0.1', 'ifindex' => 1]] as $value) {
        try {
            $datagrams->setOption(IPPROTO_IPV6, $info, $value);
        } catch (ValueError $error) {
            echo $error->getMessage(), "\n";
        }
    }
});
?>
--EXPECT--
int(5)
string(5) "hello"
string(4) "both"
bool(true)
string(0) ""
bool(true)
string(11) "still there"
bool(true)
int(1)
bool(true)
int(0)
bool(true)
int(1)
bool(false)
bool(true)
bool(true)
The value of this option must be an array with addr, an IPv6 address, and ifindex.
The value of this option must be an array with addr, an IPv6 address, and ifindex.
