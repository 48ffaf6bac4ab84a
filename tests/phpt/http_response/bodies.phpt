--TEST--
Bodies: ended, streamed, files and parts of files, trailers, HEAD, HTTP/1.0, detached answers
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../server/once.inc';

$file = tempnam(sys_get_temp_dir(), 'file');
rename($file, $file .= '.css');
file_put_contents($file, implode('', range(0, 9)));
serve(function (Swoole\Http\Request $request, Swoole\Http\Response $response) use ($file): void {
    switch ($request->server['request_uri']) {
        case '/stream': $response->write('one'); $response->write(''); Swoole\Coroutine::sleep(0.01); $response->end('two'); break;
        case '/length': $response->header('Content-Length', '6'); $response->write('abc'); $response->end('def'); break;
        case '/trailer': $response->header('Trailer', 'X-Sum'); $response->write('body'); $response->trailer('X-Sum', '4'); $response->end(); break;
        case '/file': $response->sendfile($file); break;
        case '/part': $response->sendfile($file, 3, 4); break;
        case '/nofile': var_dump(@$response->sendfile('/nowhere'), @$response->sendfile($file, 11), @$response->sendfile('/tmp')); $response->status(404); $response->end(); break;
        case '/empty': $response->end(); break;
        case '/large': $response->end(str_repeat('x', 300000)); break;
        case '/304': $response->status(304); $response->header('ETag', '"a"'); $response->end('never'); break;
        case '/redirect': $response->redirect('/there', 301); break;
        case '/detach':
            $fd = $response->fd;
            var_dump($response->detach(), @$response->end('no'));
            go(function () use ($fd): void { Swoole\Coroutine::sleep(0.01); Swoole\Http\Response::create($fd)->end('later'); });
            break;
        case '/close': $response->close(); break;
        default: $response->end('?');
    }
}, ['open_tcp_nodelay' => true], function (callable $ask): void {
    foreach (['GET /stream', 'GET /length', 'GET /trailer', 'GET /file', 'GET /part', 'GET /nofile', 'GET /empty', 'GET /304', 'GET /redirect', 'GET /detach',
        'GET /close', 'HEAD /file', 'HEAD /stream', 'HEAD /empty'] as $line) {
        $answer = $ask("$line HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        echo "--- $line\n", preg_replace(['/Date: .*\r\n/', '/Server: .*\r\n/', '/Connection: .*\r\n/', '/\r/'], '', $answer), "\n";
    }
    echo strlen($ask("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")) > 300000 ? "large\n" : "not large\n";
    echo substr(strrchr($ask("GET /stream HTTP/1.0\r\n\r\n"), "\n"), 1), "\n";
});
unlink($file);
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
bool(true)
bool(false)
--- GET /stream
HTTP/1.1 200 OK
Content-Type: text/html
Transfer-Encoding: chunked

3
one
3
two
0


--- GET /length
HTTP/1.1 200 OK
Content-Type: text/html
Content-Length: 6

abcdef
--- GET /trailer
HTTP/1.1 200 OK
Trailer: X-Sum
Content-Type: text/html
Transfer-Encoding: chunked

4
body
0
X-Sum: 4


--- GET /file
HTTP/1.1 200 OK
Content-Type: text/css
Content-Length: 10

0123456789
--- GET /part
HTTP/1.1 200 OK
Content-Type: text/css
Content-Length: 4

3456
--- GET /nofile
HTTP/1.1 404 Not Found
Content-Type: text/html
Content-Length: 0


--- GET /empty
HTTP/1.1 200 OK
Content-Type: text/html
Content-Length: 0


--- GET /304
HTTP/1.1 304 Not Modified
Etag: "a"


--- GET /redirect
HTTP/1.1 301 Moved Permanently
Location: /there
Content-Type: text/html
Content-Length: 0


--- GET /detach
HTTP/1.1 200 OK
Content-Type: text/html
Content-Length: 5

later
--- GET /close

--- HEAD /file
HTTP/1.1 200 OK
Content-Type: text/css
Content-Length: 10


--- HEAD /stream
HTTP/1.1 200 OK
Content-Type: text/html


--- HEAD /empty
HTTP/1.1 200 OK
Content-Type: text/html


large
onetwo
