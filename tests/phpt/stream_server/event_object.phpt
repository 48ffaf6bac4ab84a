--TEST--
event_object: functions get one object
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$log = tempnam(sys_get_temp_dir(), 'log');
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'event_object' => true]);
$udp = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_UDP);
$show = static fn (Server\Event $event): string => json_encode([$event->fd, $event->reactor_id, $event->data, abs($event->dispatch_time - microtime(true)) < 10]);
$server->on('connect', static fn (Server $server, Server\Event $event) => note($log, 'connect ' . $show($event)));
$server->on('receive', static function (Server $server, Server\Event $event) use ($log, $show): void {
    note($log, 'receive ' . $show($event));
    $server->close($event->fd);
});
$server->on('close', static fn (Server $server, Server\Event $event) => note($log, 'close ' . $show($event)));
$server->on('packet', static function (Server $server, Server\Packet $packet) use ($udp): void {
    $server->sendto($packet->address, $packet->port, json_encode([$packet->data, $packet->server_port === $udp->port, $packet->server_socket > 0]));
});
$ports = [$server->port, $udp->port];
serve_peers($server, static function () use ($ports, $log): void {
    $peer = connect_to("tcp://127.0.0.1:$ports[0]");
    fwrite($peer, 'data');
    stream_get_contents($peer);
    wait_for(static fn (): bool => count(notes($log)) === 3);
    echo preg_replace('/\[\d+/', '[fd', implode("\n", notes($log))), "\n";
    $peer = connect_to("udp://127.0.0.1:$ports[1]");
    fwrite($peer, 'data');
    echo fread($peer, 100), "\n";
});
unlink($log);
?>
--EXPECT--
connect [fd,0,null,true]
receive [fd,0,"data",true]
close [fd,-1,null,true]
["data",true,true]
