--TEST--
Coroutine\Http\get(), post(), request()
--FILE--
<?php
use Swoole\Coroutine\Http\{Client, Server};
use Swoole\WebSocket\{CloseFrame, Frame};
Swoole\Coroutine\run(function () {
    $server = new Server('127.0.0.1', 0);

    $server->handle('/', function ($request, $response) {
        $response->status(201);
        $response->cookie('a', 'b');
        $response->end(json_encode([$request->getMethod(), $request->server['request_uri'], $request->get, $request->post, $request->header['x'] ?? null, $request->cookie, $request->header['authorization'] ?? null]));
    });
    go(fn () => $server->start());
    $url = "http://127.0.0.1:$server->port";
    $answer = Swoole\Coroutine\Http\get("$url/path?a=b", ['timeout' => 5], ['X' => 'y'], ['c' => 'd']);
    var_dump(get_class($answer), $answer->getStatusCode(), $answer->getBody(), $answer->getCookies(), isset($answer->getHeaders()['set-cookie']));
    echo Swoole\Coroutine\Http\post($url, ['a' => 'b'])->getBody(), "\n";
    echo Swoole\Coroutine\Http\request(str_replace('http://', 'http://me:word@', $url), 'put', 'text')->getBody(), "\n";
    foreach (['http://127.0.0.1:1/', 'no url'] as $bad) {
        try {
            Swoole\Coroutine\Http\get($bad);
        } catch (Swoole\Coroutine\Http\Client\Exception $exception) {
            echo $exception->getMessage(), ' ', $exception->getCode(), "\n";
        }
    }
    $server->shutdown();
});
?>
--EXPECT--
string(33) "Swoole\Coroutine\Http\ClientProxy"
int(201)
string(50) "["GET","\/path",{"a":"b"},null,"y",{"c":"d"},null]"
array(2) {
  ["c"]=>
  string(1) "d"
  ["a"]=>
  string(1) "b"
}
bool(true)
["POST","\/",null,{"a":"b"},null,null,null]
["PUT","\/",null,null,null,null,"Basic bWU6d29yZA=="]
Connection refused 111
The URL "no url" names no host. 0
