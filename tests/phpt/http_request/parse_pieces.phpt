--TEST--
Request::parse() of a head in pieces: what has come can be read before the rest is there
--FILE--
<?php
use Swoole\Http\Request;

function shown(Request $request, int|false $taken): void
{
    unset($request->server['request_time'], $request->server['request_time_float'], $request->server['master_time']);
    echo json_encode([$taken, $request->isCompleted(), $request->getMethod(), $request->get, $request->header, $request->cookie, $request->post, $request->getContent()]), "\n";
}

$pieces = ['PO', "ST /a?x=1&y[]=2 HTTP/1.1\r\nHo", "st: example.com\r\nCookie: s=1\r\nX-Cut: of", "f\r\n", "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\na=", "b&c=dGET"];
$request = Request::create();
foreach ($pieces as $piece) {
    shown($request, $request->parse($piece));
}
var_dump($request->getData() === substr(implode('', $pieces), 0, -3));

// Byte by byte, with what is read between: never ahead of the bytes, the same in the end.
$text = substr(implode('', $pieces), 0, -3);
$slow = Request::create();
for ($i = 0; $i < strlen($text); $i++) {
    if ($slow->parse($text[$i]) !== 1 || ($slow->getMethod() !== false && $slow->getData() !== substr($text, 0, $i + 1)) || ($slow->post !== null && !$slow->isCompleted())) {
        echo "wrong at $i\n";
    }
}
var_dump($slow->header === $request->header, $slow->get === $request->get, $slow->cookie === $request->cookie, $slow->post === $request->post, $slow->isCompleted());

// What turns out to be no request is none from then on.
$bad = Request::create();
var_dump($bad->parse("GET /?q=1 HTTP/1.1\r\nHost: a\r\n"), $bad->get['q'], $bad->parse("no field\r\n\r\n"), $bad->getMethod(), $bad->parse("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
?>
--EXPECT--
[2,false,false,null,[],null,null,false]
[28,false,"POST",{"x":"1","y":["2"]},[],null,null,""]
[39,false,"POST",{"x":"1","y":["2"]},{"host":"example.com"},{"s":"1"},null,""]
[3,false,"POST",{"x":"1","y":["2"]},{"host":"example.com","x-cut":"off"},{"s":"1"},null,""]
[72,false,"POST",{"x":"1","y":["2"]},{"host":"example.com","x-cut":"off","content-type":"application\/x-www-form-urlencoded","content-length":"7"},{"s":"1"},null,"a="]
[5,true,"POST",{"x":"1","y":["2"]},{"host":"example.com","x-cut":"off","content-type":"application\/x-www-form-urlencoded","content-length":"7"},{"s":"1"},{"a":"b","c":"d"},"a=b&c=d"]
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(29)
string(1) "1"
bool(false)
bool(false)
bool(false)
