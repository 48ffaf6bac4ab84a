--TEST--
A reload lets functions of receive end; max_request replaces a worker; without coroutines functions run one after another
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$receive = static function (Server $server, int $fd, int $reactor, string $data): void {
    if ($data === 'slow') {
        Swoole\Coroutine::sleep(0.3);
    }
    $server->send($fd, (string) getmypid());
};
$ask = static function ($peer, string $what): int {
    fwrite($peer, $what);
    return (int) fread($peer, 100);
};
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1]);
$server->on('receive', $receive);
$port = $server->port;
$parent = getmypid();
serve_peers($server, static function () use ($port, $ask, $parent): void {
    $peer = connect_to("tcp://127.0.0.1:$port");
    $first = $ask($peer, 'quick');
    fwrite($peer, 'slow');
    posix_kill($parent, SIGUSR1);
    var_dump((int) fread($peer, 100) === $first, fread($peer, 100), feof($peer));
    $next = connect_to("tcp://127.0.0.1:$port");
    $second = $ask($next, 'quick');
    var_dump($second > 0 && $second !== $first);
});

$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'max_request' => 5, 'max_request_grace' => 0]);
$server->on('receive', $receive);
$port = $server->port;
serve_peers($server, static function () use ($port, $ask): void {
    $seen = [];
    var_dump(wait_for(static function () use ($port, $ask, &$seen): bool {
        $seen[$ask(connect_to("tcp://127.0.0.1:$port"), 'x')] = true;
        return count($seen) === 3;
    }), isset($seen[0]));
});

$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'enable_coroutine' => false, 'open_eof_split' => true, 'package_eof' => "\n"]);
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    $server->send($fd, trim($data) . Swoole\Coroutine::getCid() . ' ');
});
$port = $server->port;
serve_peers($server, static function () use ($port): void {
    $peer = connect_to("tcp://127.0.0.1:$port");
    fwrite($peer, "a\nb\nc\n");
    echo read_all($peer, 12), "\n";
});
?>
--EXPECT--
bool(true)
string(0) ""
bool(true)
bool(true)
bool(true)
bool(false)
a-1 b-1 c-1 
