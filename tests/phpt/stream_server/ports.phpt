--TEST--
Ports of different kinds in one server, with settings and functions of their own
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Http\Server;

$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 2]);
$server->on('request', static fn ($request, $response) => $response->end('main ' . $request->server['request_uri']));
// Without settings of its own an HTTP server's port speaks HTTP, whatever functions it has.
$same = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$same->on('receive', static fn ($server, $fd) => $server->send($fd, 'wrong'));
$own = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$own->set(['open_http_protocol' => true, 'package_max_length' => 1000, 'http_idle_timeout' => 0.2]);
$own->on('request', static fn ($request, $response) => $response->end('own'));
$raw = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$raw->set([]);
$raw->on('connect', static fn ($server, $fd) => $server->send($fd, 'hello '));
$raw->on('receive', static fn ($server, $fd, $reactor, $data) => $server->send($fd, $data) && $server->close($fd));
$lines = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$lines->set(['open_http_protocol' => false, 'open_eof_split' => true, 'package_eof' => "\n"]);
$lines->on('receive', static fn ($server, $fd, $reactor, $data) => $server->send($fd, "<$data>"));
$udp = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_UDP);
$udp->on('packet', static fn ($server, $data, $info) => $server->sendto($info['address'], $info['port'], "udp $data"));
$ports = array_column($server->ports, 'port');
serve_peers($server, static function () use ($ports): void {
    foreach ([0, 1, 2] as $i) {
        echo file_get_contents("http://127.0.0.1:$ports[$i]/$i"), "\n";
    }
    // Limits of HTTP are a port's own, too.
    foreach ([0, 2] as $i) {
        $peer = connect_to("tcp://127.0.0.1:$ports[$i]");
        fwrite($peer, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n" . str_repeat('x', 5000));
        echo trim(fgets($peer)), "\n";
    }
    $peer = connect_to("tcp://127.0.0.1:$ports[2]");
    fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    $begin = microtime(true);
    stream_get_contents($peer);
    var_dump(microtime(true) - $begin < 5);
    $peer = connect_to("tcp://127.0.0.1:$ports[3]");
    fwrite($peer, 'raw');
    echo stream_get_contents($peer), "\n";
    $peer = connect_to("tcp://127.0.0.1:$ports[4]");
    fwrite($peer, "a\nb\n");
    echo strtr(read_all($peer, 8), "\n", '|'), "\n";
    $peer = connect_to("udp://127.0.0.1:$ports[5]");
    fwrite($peer, 'x');
    echo fread($peer, 100), "\n";
});

// What a port brings needs a function.
foreach ([SWOOLE_SOCK_TCP, SWOOLE_SOCK_UDP] as $type) {
    $server = new Swoole\Server('127.0.0.1', 0, SWOOLE_BASE, $type);
    try {
        $server->start();
    } catch (Swoole\Exception $failure) {
        echo preg_replace('~127.*~', '...', $failure->getMessage()), "\n";
    }
}
var_dump(@$server->send(1, 'x'), @$server->listen('127.0.0.1', 0, SWOOLE_SOCK_UDP | SWOOLE_SSL));
?>
--EXPECT--
main /0
main /1
own
HTTP/1.1 200 OK
HTTP/1.1 413 Content Too Large
bool(true)
hello raw
<a|><b|>
udp x
require onReceive callback: set the event receive with on() before start(), which ...
require onPacket callback: set the event packet with on() before start(), which ...
bool(false)
bool(false)
