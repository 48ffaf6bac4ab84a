--TEST--
Response::create() on a stream port: HTTP that the application parses itself, here and in a task worker
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Http\{Request, Response};

$server = new Swoole\Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'task_worker_num' => 1]);
$file = tempnam(sys_get_temp_dir(), 'file');
file_put_contents($file, '0123456789');
$server->on('receive', function (Swoole\Server $server, int $fd, int $reactor, string $data) use ($file): void {
    $request = Request::create();
    $request->parse($data);
    $path = $request->server['request_uri'];
    if ($path === '/task') {
        $server->task($fd);
        return;
    }
    $response = $path === '/of' ? Response::create([$server, $request], $fd) : Response::create($server, $fd);
    $response->header('X-Path', $path);
    match ($path) {
        '/pieces' => $response->write('one') && $response->end('two'),
        '/file' => $response->sendfile($file, 2, 5),
        default => $response->end("$response->fd is $fd"),
    };
});
$server->on('task', function (Swoole\Server $server, int $task, int $worker, int $fd): void {
    $response = Response::create($server, $fd);
    $response->status(201);
    $response->end('by a task worker');
});
$port = $server->port;
serve_peers($server, function () use ($port): void {
    $peer = connect_to("tcp://127.0.0.1:$port");
    foreach (['/plain', '/pieces', '/file', '/task'] as $path) {
        fwrite($peer, "GET $path HTTP/1.1\r\nHost: a\r\n\r\n");
        for ($answer = ''; !preg_match('/is \d+$|0\r\n\r\n$|23456$|worker$/', $answer) && ($more = fread($peer, 8192)) != '';) {
            $answer .= $more;
        }
        echo preg_replace(['/Date: .*\r\n/', '/\r/', '/(\d+) is \1/'], ['', '', 'same'], $answer), "\n\n";
    }
    fwrite($peer, "HEAD /of HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    echo preg_replace(['/Date: .*\r\n/', '/\r/', '/Length: \d+/'], ['', '', 'Length: some'], stream_get_contents($peer)), "closed\n";
});
unlink($file);
?>
--EXPECT--
HTTP/1.1 200 OK
X-Path: /plain
Server: stampede
Content-Type: text/html
Connection: keep-alive
Content-Length: 6

same

HTTP/1.1 200 OK
X-Path: /pieces
Server: stampede
Content-Type: text/html
Connection: keep-alive
Transfer-Encoding: chunked

3
one
3
two
0



HTTP/1.1 200 OK
X-Path: /file
Server: stampede
Content-Type: application/octet-stream
Connection: keep-alive
Content-Length: 5

23456

HTTP/1.1 201 Created
Server: stampede
Content-Type: text/html
Connection: keep-alive
Content-Length: 16

by a task worker

HTTP/1.1 200 OK
X-Path: /of
Server: stampede
Content-Type: text/html
Connection: close
Content-Length: some

closed
