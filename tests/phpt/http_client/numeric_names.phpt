--TEST--
Coroutine\Http\Client and Http2\Client: fields and cookies whose names are numbers
--FILE--
<?php
use Swoole\Coroutine\Http\{Client, Server};
Swoole\Coroutine\run(function () {
    $server = new Server('127.0.0.1', 0);
    $server->set(['open_http2_protocol' => true]);
    $server->handle('/', function ($request, $response) {
        $response->header('12345', 'number');
        $response->header('007', 'text');
        $response->header('8', ['a', 'b']);
        $response->cookie('42', 'yes');
        $response->end(json_encode($request->cookie));
    });
    go(fn () => $server->start());
    $client = new Client('127.0.0.1', $server->port);
    for ($i = 0; $i < 2; $i++) {
        $client->get('/');
        var_dump($client->headers[12345], $client->headers['12345'], $client->headers['007'], $client->headers[8], $client->cookies['42'], $client->body);
    }
    $client->setCookies([-3 => 'minus', 'name' => 'text']);
    $client->get('/');
    echo $client->body, "\n";
    $client = new Swoole\Coroutine\Http2\Client('127.0.0.1', $server->port);
    $client->connect();
    $request = new Swoole\Http2\Request();
    $request->cookies = [42 => 'sent'];
    $client->send($request);
    $response = $client->recv(1);
    var_dump($response->headers['12345'], $response->headers[8], $response->cookies['42'], $response->data);
    $server->shutdown();
});
?>
--EXPECT--
string(6) "number"
string(6) "number"
string(4) "text"
array(2) {
  [0]=>
  string(1) "a"
  [1]=>
  string(1) "b"
}
string(3) "yes"
string(4) "null"
string(6) "number"
string(6) "number"
string(4) "text"
array(2) {
  [0]=>
  string(1) "a"
  [1]=>
  string(1) "b"
}
string(3) "yes"
string(12) "{"42":"yes"}"
{"-3":"minus","name":"text"}
string(6) "number"
string(1) "b"
string(3) "yes"
string(13) "{"42":"sent"}"
