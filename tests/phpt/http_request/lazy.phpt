--TEST--
Request arrays behave as ordinary properties although they are built late
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../server/once.inc';

serve_once(function (Swoole\Http\Request $request, Swoole\Http\Response $response): void {
    $seen = [];
    $seen[] = isset($request->unknown);
    $seen[] = isset($request->header) && isset($request->header['host']);
    $seen[] = isset($request->post);
    $request->server['added'] = 'yes';
    $seen[] = $request->server['added'];
    $request->get = ['mine' => 1];
    $seen[] = $request->get;
    unset($request->cookie);
    $seen[] = isset($request->cookie);
    $reference = &$request->header;
    $reference['x-new'] = 'n';
    $seen[] = $request->header['x-new'];
    $seen[] = array_keys(get_object_vars($request));
    $seen[] = array_key_exists('request_uri', ((array) $request)['server']);
    $name = 'fd';
    $seen[] = $request->{$name} > 0;
    try {
        clone $request;
    } catch (Error $error) {
        $seen[] = $error->getMessage();
    }
    $response->end(json_encode($seen));
}, "GET /p?a=b HTTP/1.1\r\nHost: a\r\nCookie: c=d\r\nConnection: close\r\n\r\n");
?>
--EXPECT--
HTTP/1.1 200 OK
[false,true,false,"yes",{"mine":1},false,"n",["fd","streamId","header","server","get","files","post","tmpfiles"],true,true,"Trying to clone an uncloneable object of class Swoole\\Http\\Request"]
