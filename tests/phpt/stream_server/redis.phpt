--TEST--
Swoole\Redis\Server: functions of commands, their arguments and responses
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Redis\Server;

foreach ([[Server::NIL], [Server::ERROR, 'no'], [Server::ERROR], [Server::STATUS, 'fine'], [Server::STATUS], [Server::INT, 42], [Server::INT], [Server::STRING, "a\r\nb"],
    [Server::SET, ['x', 12, '']], [Server::MAP, ['k' => 'v', 7 => 8]], [Server::ERROR, "one\r\n+two"]] as $arguments) {
    echo json_encode(Server::format(...$arguments)), "\n";
}
var_dump(@Server::format(Server::SET, 'x'), @Server::format(Server::STRING), @Server::format(99));
$data = [];
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'package_max_length' => 5000]);
$server->setHandler('Set', static function (int $fd, array $arguments) use (&$data): string {
    if (count($arguments) !== 2) {
        return Server::format(Server::ERROR, "ERR wrong number of arguments for 'set' command");
    }
    $data[$arguments[0]] = $arguments[1];
    return Server::format(Server::STATUS, 'OK');
});
$server->setHandler('GET', static function (int $fd, array $arguments) use (&$data): string {
    Swoole\Coroutine::sleep(0.001);
    return isset($data[$arguments[0]]) ? Server::format(Server::STRING, $data[$arguments[0]]) : Server::format(Server::NIL);
});
$server->setHandler('SILENT', static fn (int $fd, array $arguments) => $server->send($fd, ":7\r\n") ? null : null);
var_dump($server->getHandler('get') instanceof Closure, @$server->setHandler(str_repeat('x', 64), 'strlen'));
$port = $server->port;
serve_peers($server, static function () use ($port): void {
    $request = static fn (string ...$strings): string => '*' . count($strings) . "\r\n" . implode('', array_map(static fn (string $string): string => '$' . strlen($string) . "\r\n$string\r\n", $strings));
    $peer = connect_to("tcp://127.0.0.1:$port");
    $ask = static function (string $bytes, int $size) use ($peer): void {
        foreach (str_split($bytes, 5) as $piece) {
            fwrite($peer, $piece);
        }
        echo json_encode(read_all($peer, $size)), "\n";
    };
    $ask($request('SET', 'key', "a\r\nb"), 5);
    $ask($request('get', 'key'), 10);
    $ask($request('GET', 'none'), 5);
    $ask($request('SET', 'key'), 50);
    $ask($request('SILENT'), 4);
    $ask($request("NO\r\nPE"), 31);
    fwrite($peer, $request('SET', 'big', str_repeat('x', 6000)));
    var_dump(stream_get_contents($peer));
    $peer = connect_to("tcp://127.0.0.1:$port");
    fwrite($peer, "GET / HTTP/1.0\r\n\r\n");
    var_dump(stream_get_contents($peer));
});
?>
--EXPECT--
"$-1\r\n"
"-no\r\n"
"-ERR\r\n"
"+fine\r\n"
"+OK\r\n"
":42\r\n"
":0\r\n"
"$4\r\na\r\nb\r\n"
"*3\r\n$1\r\nx\r\n$2\r\n12\r\n$0\r\n\r\n"
"*4\r\n$1\r\nk\r\n$1\r\nv\r\n$1\r\n7\r\n$1\r\n8\r\n"
"-one\r\n"
bool(false)
bool(false)
bool(false)
bool(true)
bool(false)
"+OK\r\n"
"$4\r\na\r\nb\r\n"
"$-1\r\n"
"-ERR wrong number of arguments for 'set' command\r\n"
":7\r\n"
"-ERR unknown command 'NO??PE'\r\n"
string(0) ""
string(0) ""
