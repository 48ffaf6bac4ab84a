--TEST--
A connection goes on after a response that a task worker wrote: whole, in pieces, from a file, to HEAD and to HTTP/1.0
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

use Swoole\Http\Response;

serve_tasks(['http_compression' => false], [
    'request' => function ($request, Response $response): void {
        $response->detach();
        $GLOBALS['running']->task([$request->server['request_uri'], $request->fd]);
    },
    'workerStart' => function ($server): void {
        $GLOBALS['running'] = $server;
    },
    'task' => function ($server, int $task, int $worker, array $data): void {
        [$path, $fd] = $data;
        $response = Response::create($server, $fd);
        $response->header('X-Path', $path);
        if ($path === '/pieces') {
            $response->write('one');
            $response->write('two');
            $response->trailer('X-After', 'yes');
            $response->end();
        } elseif ($path === '/file') {
            $response->sendfile(__DIR__ . '/once.inc', 0, 5);
        } else {
            $response->end("whole $path");
        }
    },
], function (callable $ask, $server): void {
    $peer = stream_socket_client("tcp://127.0.0.1:$server->port", timeout: 20);
    stream_set_timeout($peer, 20);
    $answer = static function (string $end) use ($peer): void {
        for ($all = ''; !str_ends_with($all, $end) && ($more = fread($peer, 8192)) != '';) {
            $all .= $more;
        }
        echo preg_replace(['/(Date|Server): .*\r\n/', '/\r/'], '', $all), "\n--\n";
    };
    foreach (['/whole' => 'whole /whole', '/pieces' => "X-After: yes\r\n\r\n", '/file' => '<?php'] as $path => $end) {
        fwrite($peer, "GET $path HTTP/1.1\r\nHost: a\r\n\r\n");
        $answer($end);
    }
    fwrite($peer, "HEAD /head HTTP/1.1\r\nHost: a\r\n\r\n");
    $answer("\r\n\r\n");
    fwrite($peer, "GET /pieces HTTP/1.0\r\nHost: a\r\n\r\n");
    $answer('nothing, it is closed');
    echo feof($peer) ? "closed\n" : "open\n";
});
?>
--EXPECT--
HTTP/1.1 200 OK
X-Path: /whole
Connection: keep-alive
Content-Type: text/html
Content-Length: 12

whole /whole
--
HTTP/1.1 200 OK
X-Path: /pieces
Connection: keep-alive
Content-Type: text/html
Transfer-Encoding: chunked

3
one
3
two
0
X-After: yes


--
HTTP/1.1 200 OK
X-Path: /file
Connection: keep-alive
Content-Type: application/octet-stream
Content-Length: 5

<?php
--
HTTP/1.1 200 OK
X-Path: /head
Connection: keep-alive
Content-Type: text/html
Content-Length: 11


--
HTTP/1.1 200 OK
X-Path: /pieces
Connection: close
Content-Type: text/html

onetwo
--
closed
