--TEST--
Constructing and configuring a server: defaults, old names, ports, errors
--FILE--
<?php
$server = new Swoole\Http\Server('127.0.0.1');
var_dump($server->mode === SWOOLE_BASE, $server->port > 0, $server->host, $server->worker_id, $server->ports[0]->port === $server->port, $server->getWorkerId());
$old = new swoole_http_server('127.0.0.1', 0);
var_dump($old->mode === SWOOLE_PROCESS, $old instanceof Swoole\Http\Server, $old instanceof Swoole\Server);
var_dump($server->set(['worker_num' => '3', 'package_max_length' => '4M', 'Not_An_Option' => 1]), $server->set(['worker_num' => -1]), $server->setting['worker_num']);
var_dump($server->on('Request', 'strlen'), $server->getCallback('request'), $server->getCallback('close'), $server->on('nothing', fn () => 1));
try {
    $server->on('request', 'no_such_function');
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
$port = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
var_dump(get_class($port), count($server->ports), $port->on('request', fn () => 2), $port->getCallback('request') instanceof Closure, $port->getCallback('close'));
var_dump($server->listen('127.0.0.1', $port->port, SWOOLE_SOCK_TCP), $server->addlistener('nonsense', 1, SWOOLE_SOCK_TCP));
foreach ([fn () => new Swoole\Http\Server('127.0.0.1', $port->port), fn () => new Swoole\Http\Server('127.0.0.1', -1), fn () => new Swoole\Http\Server('127.0.0.1', 0, 7)] as $make) {
    try {
        $make();
    } catch (Throwable $error) {
        echo get_class($error), ': ', preg_replace('/:\d+:/', ':N:', $error->getMessage()), "\n";
    }
}
$path = tempnam(sys_get_temp_dir(), 'sock');
unlink($path);
$unix = new Swoole\Http\Server($path, 0, SWOOLE_BASE, SWOOLE_SOCK_UNIX_STREAM);
var_dump(filetype($path));
unset($unix);
var_dump(file_exists($path), $server->shutdown(), $server->stats(), iterator_count($server->connections), isset($server->connections[1]));
?>
--EXPECTF--
bool(true)
bool(true)
string(9) "127.0.0.1"
int(-1)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)

Warning: Swoole\Server::set(): unsupported option [Not_An_Option] in %s on line %d
bool(true)
bool(true)
int(-1)

Warning: Swoole\Server::on(): unknown event types[nothing] in %s on line %d
bool(true)
string(6) "strlen"
NULL
bool(false)
Swoole\Server::on(): Argument #2 ($callback) must be a valid callback, function "no_such_function" not found or invalid function name
string(18) "Swoole\Server\Port"
int(2)
bool(true)
bool(true)
NULL

Warning: Swoole\Server::listen(): failed to listen on 127.0.0.1:%d: the port is in use by another process in %s on line %d

Warning: Swoole\Server::addlistener(): failed to listen on nonsense:1: the address is not valid for this socket type in %s on line %d
bool(false)
bool(false)
Swoole\Exception: failed to listen on 127.0.0.1:N: the port is in use by another process
Swoole\Exception: invalid port [-1]: it must be a number from 0 to 65535
Swoole\Error: invalid $mode parameter: it must be SWOOLE_BASE or SWOOLE_PROCESS
string(6) "socket"

Warning: Swoole\Server::shutdown(): server is not running in %s on line %d

Warning: Swoole\Server::stats(): server is not running in %s on line %d
bool(false)
bool(false)
bool(false)
int(0)
bool(false)
