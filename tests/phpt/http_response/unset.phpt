--TEST--
Properties of Request and Response after unset(): undefined, then ordinary ones; isset() sees what header(), cookie() and trailer() collected
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../server/once.inc';

/** What a property does when it is unset and put back. */
function use_property(object $object, string $name): array
{
    $seen = [isset($object->$name), empty($object->$name)];
    unset($object->$name);
    $seen[] = isset($object->$name);
    $seen[] = @$object->$name;
    $object->$name = 'own';
    $seen[] = $object->$name;
    $object->$name = [];
    $object->$name['key'] = 1;
    $reference = &$object->$name['key'];
    $reference++;
    $seen[] = $object->$name;
    return $seen;
}

$unset = [];
serve(function (Swoole\Http\Request $request, Swoole\Http\Response $response) use (&$unset): void {
    if ($request->server['request_uri'] === '/warnings') {
        unset($request->header, $response->header);
        ob_start();
        var_dump($request->header, $response->header);
        $response->end(preg_replace('/ in .*/', '', ob_get_clean()));
        return;
    }
    $seen = [];
    foreach (['fd', 'streamId', 'header', 'server', 'cookie', 'get', 'post', 'files', 'tmpfiles'] as $name) {
        $seen["request $name"] = use_property($request, $name);
    }
    $response->header('X-A', 'b');
    $response->cookie('a', 'b');
    $response->trailer('X-T', 'u');
    foreach (['fd', 'socket', 'header', 'cookie', 'trailer'] as $name) {
        $seen["response $name"] = use_property($response, $name);
    }
    foreach (array_keys(get_object_vars($request)) as $name) {
        unset($request->$name);
    }
    unset($response->header, $response->cookie, $response->fd);
    $seen['left'] = [get_object_vars($request), get_object_vars($response), count((array) $response)];
    $response->header('X-C', 'd');  // the fields are not lost
    $text = '';
    foreach ($seen as $name => $values) {
        $text .= $name . ' ' . json_encode($values) . "\n";
    }
    $response->end($text);
}, [], function (callable $ask): void {
    $body = "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\nabc\r\n--x\r\nContent-Disposition: form-data; name=\"p\"\r\n\r\nq\r\n--x--\r\n";
    foreach (["POST /?a=1 HTTP/1.1\r\nHost: a\r\nCookie: a=b\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: " . strlen($body) . "\r\nConnection: close\r\n\r\n$body",
        "GET /warnings HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"] as $request) {
        $answer = $ask($request);
        echo preg_replace('/^(?:Date|Server|Connection).*\r\n/m', '', $answer), "\n";
    }
});
// A request without a connection.
$request = Swoole\Http\Request::create();
unset($request->header, $request->get);
$request->parse("GET /?a=b HTTP/1.1\r\nHost: a\r\n\r\n");
echo json_encode([isset($request->header), isset($request->get), $request->server['query_string']]), "\n";
$response = new Swoole\Http\Response();
unset($response->header, $response->fd);
var_dump(isset($response->header), isset($response->cookie));
?>
--EXPECT--
HTTP/1.1 200 OK
X-A: b
Set-Cookie: a=b
X-C: d
Content-Type: text/html
Transfer-Encoding: chunked

332
request fd [true,false,false,null,"own",{"key":2}]
request streamId [true,true,false,null,"own",{"key":2}]
request header [true,false,false,null,"own",{"key":2}]
request server [true,false,false,null,"own",{"key":2}]
request cookie [true,false,false,null,"own",{"key":2}]
request get [true,false,false,null,"own",{"key":2}]
request post [true,false,false,null,"own",{"key":2}]
request files [true,false,false,null,"own",{"key":2}]
request tmpfiles [true,false,false,null,"own",{"key":2}]
response fd [true,false,false,null,"own",{"key":2}]
response socket [false,true,false,null,"own",{"key":2}]
response header [true,false,false,null,"own",{"key":2}]
response cookie [true,false,false,null,"own",{"key":2}]
response trailer [true,false,false,null,"own",{"key":2}]
left [[],{"socket":{"key":2},"trailer":{"key":2}},2]

0
X-T: u


HTTP/1.1 200 OK
Content-Type: text/html
Content-Length: 129


Warning: Undefined property: Swoole\Http\Request::$header

Warning: Undefined property: Swoole\Http\Response::$header
NULL
NULL

[true,true,"a=b"]
bool(false)
bool(false)