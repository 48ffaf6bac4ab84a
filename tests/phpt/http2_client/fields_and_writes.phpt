--TEST--
Coroutine\Http2\Client: fields that come twice, what is empty, an end of the connection instead of a response, and write() while nobody receives
--FILE--
<?php
use Swoole\Coroutine\Http2\Client;
use Swoole\Coroutine\Http\Server;
use Swoole\Http2\Request;

Co\run(function () {
    $server = new Server('127.0.0.1', 0);
    $server->set(['open_http2_protocol' => true, 'package_max_length' => 64 << 20]);
    $server->handle('/', function ($request, $response) {
        $response->header('X-Two', ['one', 'two']);
        $response->cookie('a', '1');
        $response->cookie('b', '2');
        $response->end('x');
    });
    $server->handle('/empty', fn ($request, $response) => $response->end());
    $server->handle('/close', fn ($request, $response) => var_dump($response->close()));
    $server->handle('/size', fn ($request, $response) => $response->end((string) strlen($request->rawContent())));
    go(fn () => $server->start());
    $client = new Client('127.0.0.1', $server->port);
    $client->set(['timeout' => 10]);
    $client->connect();
    $ask = function (string $path) use ($client) {
        $request = new Request();
        $request->path = $path;
        $client->send($request);
        return $client->recv();
    };
    foreach (['/', '/empty'] as $path) {
        $got = $ask($path);
        echo json_encode([$got->headers['x-two'] ?? null, $got->headers['set-cookie'] ?? null, $got->set_cookie_headers, $got->cookies, $got->data]), "\n";
    }

    // Far more than any window; the peer takes it as fast as it can.
    $request = new Request();
    [$request->path, $request->method, $request->pipeline] = ['/size', 'POST', true];
    $stream = $client->send($request);
    $largest = memory_get_usage();
    for ($i = 0; $i < 40; $i++) {
        $client->write($stream, str_repeat('x', 1 << 20)) || print("not written: $client->errMsg\n");
        $largest = max($largest, memory_get_usage());
    }
    $client->write($stream, '', true);
    var_dump($client->recv()->data);

    // The same beside one that receives meanwhile.
    $stream = $client->send($request);
    $done = new Swoole\Coroutine\Channel();
    go(function () use ($client, $done) { $done->push($client->recv()->data); });
    for ($i = 0; $i < 8; $i++) {
        $client->write($stream, str_repeat('x', 1 << 20)) || print("not written: $client->errMsg\n");
    }
    $client->write($stream, '', true);
    var_dump($done->pop(10));

    var_dump($ask('/close'), $client->connected);
    $server->shutdown();
});
?>
--EXPECT--
["two","b=2",["a=1","b=2"],{"a":"1","b":"2"},"x"]
[null,null,[],[],null]
string(8) "41943040"
string(7) "8388608"
bool(true)
bool(false)
bool(false)
