--TEST--
Settings: null keeps the default, numbers are taken into their range, one bad value leaves the others
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

$server = new Swoole\Http\Server('127.0.0.1', 0);
var_dump($server->set(['worker_num' => null, 'package_max_length' => null, 'enable_coroutine' => null, 'max_wait_time' => null]));
var_dump($server->set(['worker_num' => 5000, 'max_request' => -1, 'backlog' => 0, 'max_coroutine' => 0, 'http_compression_level' => 99, 'max_idle_time' => -1.0]));
var_dump($server->set(['max_wait_time' => 'soon', 'user' => ['a'], 'max_connection' => 77]));
var_dump($server->set(['document_root' => '/nowhere']));
var_dump($server->setting['max_connection'], $server->type, $server->ssl, $server->ports[0]->type);
foreach ([fn () => $server->stats(), fn () => $server->exist(1), fn () => $server->close(1), fn () => $server->getClientInfo(1)] as $ask) {
    var_dump($ask());
}
$tls = new Swoole\Http\Server('127.0.0.1', 0, SWOOLE_BASE, SWOOLE_SOCK_TCP | SWOOLE_SSL);
var_dump($tls->type, $tls->ssl, $tls->ports[0]->type, $tls->ports[0]->ssl);
try {
    new Swoole\Http\Server('127.0.0.1', $server->port);
} catch (Swoole\Exception $error) {
    var_dump($error->getCode() === SOCKET_EADDRINUSE, swoole_last_error() === SOCKET_EADDRINUSE);
}

// In force: what was given where it was good, the defaults elsewhere.
$folder = sys_get_temp_dir() . '/uploads' . getmypid();
$handler = static function ($request, $response) use (&$server): void {
    global $server;
    $server = null;
    $response->end('one');
};
$events = ['workerStart' => static function (Swoole\Http\Server $server) use ($folder): void {
    $setting = $server->setting;
    $found = [];
    foreach (['worker_num', 'package_max_length', 'enable_coroutine', 'max_wait_time', 'max_coroutine', 'backlog', 'open_http_protocol'] as $name) {
        $found[] = "$name " . json_encode($setting[$name]);
    }
    file_put_contents("$folder/found", implode(', ', $found) . "\n" . json_encode($server->ports[0]->setting === $setting) . "\n"
        . json_encode($server->ports[0]->on('close', static fn () => 1)) . "\n");
}];
$bad = ['worker_num' => 1, 'package_max_length' => null, 'enable_coroutine' => null, 'max_wait_time' => 'soon', 'max_coroutine' => 0, 'upload_tmp_dir' => $folder];
serve($handler, $bad, static function (callable $ask): void {
    echo strstr($ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), "\r\n", true), "\n";
}, $events);
echo file_get_contents("$folder/found");
printf("%o\n", fileperms($folder) & 0777 & ~umask());
unlink("$folder/found");
rmdir($folder);

$server = new Swoole\Http\Server('127.0.0.1', 0);
$server->set(['worker_num' => 0]);
$server->on('request', static fn () => 1);
$server->on('managerStart', static fn (Swoole\Http\Server $server) => print(json_encode($server->setting["worker_num"] === swoole_cpu_num()) . "\n" . substr((string) $server->shutdown(), 1)));
$server->start();
?>
--EXPECTF--
bool(true)

Warning: Swoole\Server::set(): the option [worker_num] must be from 1 to 1024: 1024 is used in %s on line %d

Warning: Swoole\Server::set(): the option [http_compression_level] must be from 0 to 22: 22 is used in %s on line %d
bool(true)

Warning: Swoole\Server::set(): the option [max_wait_time] must be an integer: it keeps its value in %s on line %d

Warning: Swoole\Server::set(): the option [user] must be a string: it keeps its value in %s on line %d
bool(false)

Warning: Swoole\Server::set(): document_root[/nowhere] does not exist in %s on line %d
bool(false)
int(77)
int(1)
bool(false)
int(1)

Warning: Swoole\Server::stats(): server is not running in %s on line %d
bool(false)

Warning: Swoole\Server::exist(): server is not running in %s on line %d
bool(false)

Warning: Swoole\Server::close(): server is not running in %s on line %d
bool(false)

Warning: Swoole\Server::getClientInfo(): server is not running in %s on line %d
bool(false)
int(1)
bool(true)
int(1)
bool(true)
bool(true)
bool(true)

Warning: Swoole\Server::set(): the option [max_wait_time] must be an integer: it keeps its value in %s on line %d

Warning: Swoole\Server\Port::on(): server is running, unable to register event callback function in %s on line %d
HTTP/1.1 200 OK
worker_num 1, package_max_length 2097152, enable_coroutine true, max_wait_time 3, max_coroutine 100000, backlog 512, open_http_protocol true
true
false
755
true
