--TEST--
Coroutine\Http\Server: starts again after shutdown, and speaks HTTP/2 by prior knowledge without a setting
--FILE--
<?php
use Swoole\Coroutine\Http\Client;
use Swoole\Coroutine\Http\Server;
use function Swoole\Coroutine\{go, run};

run(static function (): void {
    $server = new Server('127.0.0.1', 0);
    $server->handle('/', static function ($request, $response): void {
        $response->end($request->server['server_protocol']);
    });
    $port = $server->port;
    foreach ([1, 2] as $time) {
        $ended = new Swoole\Coroutine\Channel();
        go(static fn () => $ended->push($server->start()));
        $client = new Client('127.0.0.1', $port);
        var_dump($client->get('/'), $client->body);
        $client->close();
        $h2 = new Swoole\Coroutine\Http2\Client('127.0.0.1', $port);
        $h2->connect();
        $request = new Swoole\Http2\Request();
        $h2->send($request);
        var_dump($h2->recv(5)->data ?? null);
        $h2->close();
        $server->shutdown();
        var_dump($ended->pop(5));
    }
    $off = new Server('127.0.0.1', 0);
    $off->set(['open_http2_protocol' => false]);
    go(static fn () => $off->start());
    $h2 = new Swoole\Coroutine\Http2\Client('127.0.0.1', $off->port);
    $h2->connect();
    $h2->send(new Swoole\Http2\Request());
    var_dump($h2->recv(5));
    $off->shutdown();
    var_dump(Swoole\Http\Request::create()->header);
});
?>
--EXPECT--
bool(true)
string(8) "HTTP/1.1"
string(6) "HTTP/2"
bool(true)
bool(true)
string(8) "HTTP/1.1"
string(6) "HTTP/2"
bool(true)
bool(false)
array(0) {
}
