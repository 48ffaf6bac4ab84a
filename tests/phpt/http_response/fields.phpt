--TEST--
Response fields: replaced, repeated, refused when they would break the head
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../server/once.inc';

serve(function (Swoole\Http\Request $request, Swoole\Http\Response $response): void {
    $seen = [
        $response->header('content-type', 'text/plain'),
        $response->header('x-a', 'one'), $response->header('X-A', 'two'),
        $response->header('X-List', ['a', 'b']),
        $response->setHeader('x-raw-CASE', 'kept', false),
        @$response->header('X-Bad', "a\r\nX-Injected: b"), @$response->header("X-Bad\r\n", 'a'), @$response->header('X Bad', 'a'),
        @$response->header('', 'a'), @$response->header('X-Bad', "a\0b"), @$response->header('X-Bad', ['fine', "not\nfine"]),
        @$response->status(99), @$response->status(1000), @$response->status(200, "OK\r\nX-Injected: c"),
        @$response->redirect("/\r\nX-Injected: d"),
        @$response->trailer('Content-Length', '5'), @$response->trailer('transfer-encoding', 'x'), @$response->trailer('HOST', 'x'), @$response->trailer("X\r\n", 'x'),
        $response->header('Content-Length', '99999'), $response->header('Transfer-Encoding', 'chunked'), $response->header('Keep-Alive', 'x'),
        $response->cookie('plain', 'a b', 0), $response->cookie('gone', ''), $response->rawcookie('raw', 'a%20b', 4102444800, '/p', 'example.com', true, true, 'Lax', 'High', true),
        @$response->cookie('bad=name', 'x'), @$response->rawcookie('raw', "a\r\nb"), @$response->cookie('p', 'v', 0, "/\r\nX: y"),
        $response->status('202', 'Fine'),
    ];
    $shown = [$response->header, $response->cookie, $response->trailer, isset($response->header['X-A'])];
    $ended = $response->end(json_encode([$seen, $shown]));
    $late = [$ended, @$response->end('again'), @$response->header('a', 'b'), @$response->write('c'), @$response->status(300), $response->isWritable()];
    if ($late !== [true, false, false, false, false, false]) {
        echo 'after the end: ', json_encode($late), "\n";
    }
}, [], function (callable $ask): void {
    $answer = $ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    echo preg_replace('/Date: .{29}/', 'Date: now', $answer), "\n";
});
?>
--EXPECTF--
HTTP/1.1 202 Fine
Content-Type: text/plain
X-A: two
X-List: a
X-List: b
x-raw-CASE: kept
Set-Cookie: plain=a+b
Set-Cookie: gone=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0
Set-Cookie: raw=a%20b; expires=Fri, 01-Jan-2100 00:00:00 GMT; Max-Age=%d; path=/p; domain=example.com; secure; HttpOnly; SameSite=Lax; Priority=High; Partitioned
Server: stampede
Date: now
Connection: close
Content-Length: 571

[[true,true,true,true,true,false,false,false,false,false,false,false,false,false,false,false,false,false,false,true,true,true,true,true,true,false,false,false,true],[{"Content-Type":"text\/plain","X-A":"two","X-List":["a","b"],"x-raw-CASE":"kept","Content-Length":"99999","Transfer-Encoding":"chunked","Keep-Alive":"x"},["plain=a+b","gone=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0","raw=a%20b; expires=Fri, 01-Jan-2100 00:00:00 GMT; Max-Age=%d; path=\/p; domain=example.com; secure; HttpOnly; SameSite=Lax; Priority=High; Partitioned"],null,true]]
