--TEST--
Coroutine\Http\Server: options of workers and their supervisor have no effect, which the log says in one line
--FILE--
<?php
use Swoole\Coroutine\Http\Client;
use Swoole\Coroutine\Http\Server;
use function Swoole\Coroutine\{go, run};

run(static function (): void {
    $server = new Server('127.0.0.1', 0);
    $server->set(['worker_num' => 4, 'only_worker' => 1, 'daemonize' => false, 'http_compression' => false]);
    $server->handle('/', static fn ($request, $response) => $response->end('well'));
    go(static fn () => $server->start());
    $client = new Client('127.0.0.1', $server->port);
    var_dump($client->get('/'), $client->body);
    $server->shutdown();
});
?>
--EXPECTF--
%swithout effect for a server of coroutines, which has no workers and no supervisor: only_worker, worker_num
bool(true)
string(4) "well"
