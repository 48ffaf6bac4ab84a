--TEST--
Coroutine\Http\Client: methods, headers, cookies and bodies as the server sees them
--FILE--
<?php
use Swoole\Coroutine\Http\{Client, Server};
Swoole\Coroutine\run(function () {
    $server = new Server('127.0.0.1', 0);

    $server->handle('/', function ($request, $response) {
        $response->header('X-Twice', ['a', 'b']);
        $response->cookie('seen', 'yes it is');
        $response->end(json_encode([$request->getMethod(), $request->server['request_uri'], $request->get, $request->post, $request->cookie,
            $request->header['x-own'] ?? null, $request->header['host'] === "127.0.0.1:{$request->server['server_port']}", $request->rawContent()]));
    });
    go(fn () => $server->start());
    $client = new Client('127.0.0.1', $server->port);
    $client->setHeaders(['X-Own' => 1, 'X-None' => null, 'Content-Length' => 99]);
    $say = function () use ($client) { echo $client->statusCode, ' ', $client->body, "\n"; };
    var_dump($client->get('/a b?x=1'));
    $say();
    var_dump($client->headers['x-twice'], $client->set_cookie_headers, $client->cookies);
    $client->post('/p', ['a' => 'b']);
    $say();
    $client->post('/p', 'raw');
    $say();
    $client->setMethod('DELETE');
    $client->execute('d');
    $say();
    $client->setMethod('PATCH');
    $client->setData('patch');
    $client->execute('/q');
    $say();
    echo strtok($client->getHeaderOut(), "\r"), "\n";
    $client->get('/');
    $say();
    var_dump($client->requestBody);
    $client->setData(null);
    $client->get('/');
    $say();
    var_dump($client->getStatusCode(), $client->getBody() === $client->body, $client->getCookies());
    $client->set(['lowercase_header' => false]);
    $client->get('/');
    var_dump(isset($client->headers['X-Twice']));
    $client->set(['keep_alive' => false]);
    var_dump($client->get('/'), $client->connected, $client->headers['Connection']);
    $server->shutdown();
});
?>
--EXPECT--
bool(true)
200 ["GET","\/a%20b",{"x":"1"},null,null,"1",true,""]
array(2) {
  [0]=>
  string(1) "a"
  [1]=>
  string(1) "b"
}
array(1) {
  [0]=>
  string(14) "seen=yes+it+is"
}
array(1) {
  ["seen"]=>
  string(9) "yes it is"
}
200 ["POST","\/p",null,{"a":"b"},{"seen":"yes it is"},"1",true,"a=b"]
200 ["POST","\/p",null,null,{"seen":"yes it is"},"1",true,"raw"]
200 ["DELETE","\/d",null,null,{"seen":"yes it is"},"1",true,"raw"]
200 ["PATCH","\/q",null,null,{"seen":"yes it is"},"1",true,"patch"]
PATCH /q HTTP/1.1
200 ["GET","\/",null,null,{"seen":"yes it is"},"1",true,"patch"]
string(5) "patch"
200 ["GET","\/",null,null,{"seen":"yes it is"},"1",true,""]
int(200)
bool(true)
array(1) {
  ["seen"]=>
  string(9) "yes it is"
}
bool(true)
bool(true)
bool(false)
string(5) "close"
