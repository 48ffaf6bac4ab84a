--TEST--
What each kind of socket brings is received and sent back
--EXTENSIONS--
pcntl
posix
sockets
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$stream = tempnam(sys_get_temp_dir(), 's');
$datagram = tempnam(sys_get_temp_dir(), 'd');
unlink($stream);
unlink($datagram);
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 2]);
$ports = [
    'tcp' => $server->ports[0],
    'tcp6' => $server->listen('::1', 0, SWOOLE_SOCK_TCP6),
    'udp' => $server->listen('127.0.0.1', 0, SWOOLE_SOCK_UDP),
    'udp6' => $server->listen('::1', 0, SWOOLE_SOCK_UDP6),
];
$server->listen($stream, 0, SWOOLE_SOCK_UNIX_STREAM);
$server->listen($datagram, 0, SWOOLE_SOCK_UNIX_DGRAM);
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    $server->send($fd, strrev($data));
});
$server->on('packet', static function (Server $server, string $data, array $info): void {
    ksort($info);
    $reply = implode(',', array_keys($info)) . ($info['port'] === 0 ? ' path ' : ' ') . strrev($data);
    if ($info['port'] === 0) {
        var_dump($server->send($info['address'], $reply) && $server->sendto($info['address'], 0, 'again', $info['server_socket']));
        return;
    }
    $server->sendto($info['address'], $info['port'], $reply);
});
serve_peers($server, static function () use ($ports, $stream, $datagram): void {
    $addresses = [
        "tcp://127.0.0.1:{$ports['tcp']->port}", "tcp://[::1]:{$ports['tcp6']->port}", "unix://$stream",
        "udp://127.0.0.1:{$ports['udp']->port}", "udp://[::1]:{$ports['udp6']->port}",
    ];
    foreach ($addresses as $i => $address) {
        $peer = connect_to($address);
        fwrite($peer, 'abc');
        echo $i < 3 ? read_all($peer, 3) : fread($peer, 100), "\n";
        if ($i >= 3) {
            $large = str_repeat('0123456789', 800);
            fwrite($peer, $large);
            var_dump(str_ends_with(fread($peer, 8192), strrev($large)));
        }
    }
    $own = "$datagram.peer";
    $socket = socket_create(AF_UNIX, SOCK_DGRAM, 0);
    socket_bind($socket, $own);
    socket_sendto($socket, 'abc', 3, 0, $datagram);
    socket_set_option($socket, SOL_SOCKET, SO_RCVTIMEO, ['sec' => 10, 'usec' => 0]);
    socket_recvfrom($socket, $got, 100, 0, $from);
    echo $got, $from === $datagram ? " from the server\n" : " from $from\n";
    socket_recvfrom($socket, $got, 100, 0, $from);
    echo $got, "\n";
    unlink($own);
});
var_dump(file_exists($stream), file_exists($datagram));
?>
--EXPECT--
bool(true)
cba
cba
cba
address,dispatch_time,port,server_port,server_socket cba
bool(true)
address,dispatch_time,port,server_port,server_socket cba
bool(true)
address,dispatch_time,port,server_port,server_socket path cba from the server
again
bool(false)
bool(false)
