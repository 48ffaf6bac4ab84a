--TEST--
Coroutine\Client: a receiver of datagrams that never connects
--FILE--
<?php
use Swoole\Coroutine\Client;

Co\run(function () {
    $path = sys_get_temp_dir() . '/stampede-datagrams-' . getmypid();
    foreach ([[SWOOLE_SOCK_UDP, ['bind_address' => '127.0.0.1']], [SWOOLE_SOCK_UDP, ['bind_port' => free_port()]], [SWOOLE_SOCK_UNIX_DGRAM, ['bind_address' => $path]]] as [$type, $settings]) {
        $receiver = new Client($type);
        $receiver->set($settings + ['timeout' => 5]);
        $waiting = go(function () use ($receiver) {
            var_dump($receiver->recvfrom(100, $address, $port));
        });
        $bound = $receiver->getsockname();
        $sender = new Client($type);
        var_dump($sender->sendto($type === SWOOLE_SOCK_UDP ? '127.0.0.1' : $path, $bound['port'], 'hello'));
        Co::join([$waiting]);
        $receiver->close();
    }
    unlink($path);
    $taken = new Client(SWOOLE_SOCK_UDP);
    $taken->set(['bind_address' => '192.0.2.1']);
    var_dump($taken->recvfrom(100, $address, $port), $taken->errCode === SOCKET_EADDRNOTAVAIL, $taken->connected);
});

function free_port(): int
{
    $socket = new Swoole\Coroutine\Socket(AF_INET, SOCK_DGRAM);
    $socket->bind('0.0.0.0');
    return $socket->getsockname()['port'];
}
?>
--EXPECT--
bool(true)
string(5) "hello"
bool(true)
string(5) "hello"
bool(true)
string(5) "hello"
bool(false)
bool(true)
bool(false)
