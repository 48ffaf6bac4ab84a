--TEST--
Request::create() and parse(): a request in pieces, its arrays, and what is no request
--FILE--
<?php
use Swoole\Http\Request;

$request = Request::create();
var_dump($request->isCompleted(), $request->getMethod(), $request->getContent(), $request->getData());
$head = "POST /a%20b/c?x=1&y[]=2&y[]=3 HTTP/1.1\r\nHost: example.com\r\nCookie: s=a%20b; t=c; s=later\r\n"
    . "Content-Type: application/x-www-form-urlencoded\r\nX-Twice: one\r\nx-twice: two\r\nX_Real_IP: 1\r\nContent-Length: 11\r\n\r\n";
foreach (str_split($head, 7) as $piece) {
    if ($request->parse($piece) !== strlen($piece)) {
        echo "not taken\n";
    }
}
var_dump($request->isCompleted());
var_dump($request->parse('p=q&r[k]=v1and the next request'));
var_dump($request->isCompleted(), $request->getMethod(), $request->rawContent(), strlen($request->getData()) === strlen($head) + 11);
ksort($request->header);
print_r($request->header);
print_r($request->get);
print_r($request->post);
print_r($request->cookie);
var_dump($request->files, $request->tmpfiles);
unset($request->server['request_time'], $request->server['request_time_float'], $request->server['master_time']);
print_r($request->server);
var_dump($request->parse('x'));

foreach (["GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "\x16\x03\x01"] as $bad) {
    var_dump(Request::create()->parse($bad . str_repeat("\r\n", 9)));
}
$chunked = Request::create();
var_dump($chunked->parse("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nrest"), $chunked->getContent());
$small = Request::create(['package_max_length' => 5, 'parse_cookie' => false]);
var_dump($small->parse("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n"));
$raw = Request::create(['parse_cookie' => false]);
$raw->parse("GET / HTTP/1.1\r\nHost: a\r\nCookie: a=b\r\n\r\n");
var_dump($raw->cookie, $raw->header['cookie']);
var_dump((new Request())->parse('x'), (new swoole_http_request())->getContent());
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
int(11)
bool(true)
string(4) "POST"
string(11) "p=q&r[k]=v1"
bool(true)
Array
(
    [content-length] => 11
    [content-type] => application/x-www-form-urlencoded
    [host] => example.com
    [x-twice] => one, two
)
Array
(
    [x] => 1
    [y] => Array
        (
            [0] => 2
            [1] => 3
        )

)
Array
(
    [p] => q
    [r] => Array
        (
            [k] => v1
        )

)
Array
(
    [s] => a b
    [t] => c
)
NULL
NULL
Array
(
    [query_string] => x=1&y[]=2&y[]=3
    [request_method] => POST
    [request_uri] => /a%20b/c
    [path_info] => /a b/c
    [server_protocol] => HTTP/1.1
)
bool(false)
bool(false)
bool(false)
bool(false)
int(68)
string(3) "abc"
bool(false)
NULL
string(3) "a=b"
bool(false)
bool(false)
