--TEST--
Coroutine\Http\Server speaks HTTP/2 when it is asked to, with streams side by side
--FILE--
<?php

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\Http\Server;
use Swoole\Coroutine\Http2\Client;
use Swoole\Http2\Request;

Coroutine\run(static function (): void {
    $server = new Server('127.0.0.1', 0);
    $server->set(['open_http2_protocol' => true]);
    $gate = new Channel(1);
    $server->handle('/', static function ($request, $response) use ($gate): void {
        if ($request->server['request_uri'] === '/first') {
            $gate->pop(10);
        } elseif ($request->server['request_uri'] === '/second') {
            $gate->push(true);
        }
        $response->header('X-Stream', (string) $request->streamId);
        $response->end($request->server['server_protocol'] . ' ' . $request->server['request_method'] . ' ' . $request->server['request_uri'] . ' ' . $request->getContent());
    });
    Coroutine::create(static fn () => $server->start());
    $client = new Client('127.0.0.1', $server->port);
    var_dump($client->connect());
    foreach (['/first', '/second'] as $path) {
        $request = new Request();
        $request->method = 'POST';
        $request->path = $path;
        $request->data = "body of $path";
        var_dump($client->send($request) > 0);
    }
    for ($i = 0; $i < 2; $i++) {
        $answer = $client->recv(10);
        $answers[(int) $answer->headers['x-stream']] = "$answer->statusCode $answer->data\n";
    }
    ksort($answers);
    echo implode('', $answers);
    $client->close();
    $server->shutdown();
});
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
200 HTTP/2 POST /first body of /first
200 HTTP/2 POST /second body of /second
