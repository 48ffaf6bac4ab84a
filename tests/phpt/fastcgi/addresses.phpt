--TEST--
Coroutine\FastCGI\Client and the messages of FastCGI
--FILE--
<?php
use Swoole\Coroutine\FastCGI\{Client, Proxy};
use Swoole\FastCGI;
use Swoole\FastCGI\{HttpRequest, HttpResponse, Record, Response};
foreach (['127.0.0.1:9001', 'tcp://localhost', '[::1]:9000', 'unix:///run/fpm.sock', 'unix:/run/fpm.sock'] as $url) {
    echo json_encode(Client::parseUrl($url), JSON_UNESCAPED_SLASHES), "\n";
}
try {
    Client::parseUrl('tcp://:80');
} catch (InvalidArgumentException $exception) {
    echo $exception->getMessage(), "\n";
}
$request = (new HttpRequest())->withUri('/a?b=c')->withBody(['x' => 'y'])->withHeader('X-Own', '1')->withProtocolVersion('2');
$request->withoutServerSoftware();
echo json_encode($request->getParams(), JSON_UNESCAPED_SLASHES), "\n";
echo json_encode([$request->getHeaders(), $request->getHeader('x-own'), $request->getContentLength(), $request->getBody()]), "\n";
$request->withoutHeader('x-own');
var_dump($request->getHeader('X-Own'));
$answer = new HttpResponse([new Record\Stdout("Status: 404 Gone Away\r\nX-A: b\r\nSet-Cookie: c=d\r\n\r\nbo"), new Record\Stderr('warned'), new Record\Stdout('dy'), new Record\EndRequest()]);
var_dump($answer->getStatusCode(), $answer->getReasonPhrase(), $answer->getHeader('X-a'), $answer->getSetCookieHeaderLines(), $answer->getBody(), $answer->getError());
var_dump((new HttpResponse([new Record\Stdout('no head'), new Record\EndRequest()]))->getStatusCode(), (new HttpResponse())->getStatusCode());
try {
    new Response([new Record\Stdout('x')]);
} catch (InvalidArgumentException $exception) {
    echo $exception->getMessage(), "\n";
}
$proxy = (new Proxy('unix:/x', '/var/www/'))->withTimeout(1)->withHttps(true)->withIndex('i.php')->withParam('A', 'b')->withAddedParams(['C' => 'd']);
var_dump($proxy->getParams(), $proxy->getParam('A'), $proxy->withoutParam('A')->getParam('A'));
var_dump(Co\FastCGI\Client::class, new Co\FastCGI\Proxy('unix:/x') instanceof Proxy);
?>
--EXPECT--
["127.0.0.1",9001]
["localhost",9000]
["::1",9000]
["unix:/run/fpm.sock",0]
["unix:/run/fpm.sock",0]
The address of a FastCGI application is "host:port" or "unix:/path".
{"REQUEST_SCHEME":"http","REQUEST_METHOD":"GET","DOCUMENT_ROOT":"","SCRIPT_FILENAME":"","SCRIPT_NAME":"","DOCUMENT_URI":"/a","REQUEST_URI":"/a?b=c","QUERY_STRING":"b=c","CONTENT_TYPE":"application/x-www-form-urlencoded","CONTENT_LENGTH":"3","GATEWAY_INTERFACE":"CGI/1.1","SERVER_PROTOCOL":"HTTP/2","REMOTE_ADDR":"unknown","REMOTE_PORT":"0","SERVER_ADDR":"unknown","SERVER_PORT":"0","SERVER_NAME":"Swoole","REDIRECT_STATUS":"200","HTTP_X_OWN":"1"}
[{"X-Own":"1"},"1",3,"x=y"]
NULL
int(404)
string(9) "Gone Away"
string(1) "b"
array(1) {
  [0]=>
  string(3) "c=d"
}
string(4) "body"
string(6) "warned"
int(502)
int(200)
The records do not end with an EndRequest: the response is not complete.
array(2) {
  ["C"]=>
  string(1) "d"
  ["A"]=>
  string(1) "b"
}
string(1) "b"
NULL
string(17) "Co\FastCGI\Client"
bool(true)
