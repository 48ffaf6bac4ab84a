--TEST--
Response::create(): for a request, for the server and its connection, on a Coroutine\Socket with and without a request
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../server/once.inc';

use Swoole\Coroutine;
use Swoole\Coroutine\Socket;
use Swoole\Http\{Request, Response};

/** What the peer of a socket sees of a response; the socket is open afterwards or not. */
function on_socket(string $name, ?string $request, callable $answer): void
{
    [$mine, $peer] = pair();
    $of = $mine;
    if ($request !== null) {
        $parsed = Request::create();
        $parsed->parse($request);
        $of = [$mine, $parsed];
    }
    $response = Response::create($of);
    echo "--- $name: ", json_encode([$response->fd === $mine->fd, $response->socket === $mine]), "\n";
    $answer($response);
    unset($response, $of);
    $open = $mine->checkLiveness();
    $mine->close();
    echo preg_replace(['/Date: .*\r\n/', '/\r/'], '', (string) $peer->recvAll(1 << 20, 5)), $open ? '' : "(closed)\n", "\n";
    $peer->close();
}

/** @return array{Socket, Socket} */
function pair(): array
{
    $door = new Socket(AF_INET, SOCK_STREAM, 0);
    $door->bind('127.0.0.1', 0);
    $door->listen();
    $peer = new Socket(AF_INET, SOCK_STREAM, 0);
    $peer->connect('127.0.0.1', $door->getsockname()['port']);
    return [$door->accept(5), $peer];
}

$file = tempnam(sys_get_temp_dir(), 'file');
file_put_contents($file, '0123456789');
Coroutine\run(function () use ($file): void {
    on_socket('end', null, function (Response $response): void {
        $response->header('X-A', ['one', 'two']);
        $response->cookie('c', 'd');
        var_dump($response->isWritable(), $response->status(201), $response->end('body'), $response->isWritable(), $response->end('again'), $response->header('a', 'b'), swoole_last_error());
    });
    on_socket('pieces and trailers', null, function (Response $response): void {
        var_dump($response->write('one'), $response->write(''), $response->status(404), $response->trailer('X-Sum', '3'), $response->end('two'));
    });
    on_socket('HEAD', "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", function (Response $response): void {
        var_dump($response->end('body'));
    });
    on_socket('HTTP/1.0', "GET / HTTP/1.0\r\n\r\n", function (Response $response): void {
        var_dump($response->write('one'), $response->end('two'));
    });
    on_socket('a file', null, function (Response $response) use ($file): void {
        var_dump($response->sendfile($file, 2, 5), @$response->sendfile($file));
    });
    on_socket('redirect', null, function (Response $response): void {
        var_dump($response->redirect('/there'));
    });
    on_socket('no more than promised', null, function (Response $response): void {
        $response->header('Content-Length', '4');
        var_dump($response->write('123'), $response->end('456'));
    });
    on_socket('what cannot be', null, function (Response $response): void {
        var_dump($response->upgrade(), $response->earlyHints(['</a>; rel=preload']), $response->goaway());
        var_dump($response->detach(), $response->end('x'));
    });
    on_socket('close', null, function (Response $response): void {
        var_dump($response->close(), $response->end('x'));
    });

    // Large: the peer reads slowly, the writer waits; a peer that is gone is an error.
    [$mine, $peer] = pair();
    $response = Response::create($mine);
    Coroutine::create(function () use ($response): void {
        echo json_encode($response->end(str_repeat('x', 10 << 20))), " written\n";
    });
    $received = strlen($peer->recvAll(10 << 20, 10));
    while (($more = $peer->recv(65536, 0.2)) !== false && $more !== '') {
        $received += strlen($more);
    }
    var_dump($received > 10 << 20);
    $gone = Response::create($mine);
    $peer->close();
    while ($mine->checkLiveness()) {
        Coroutine::sleep(0.001);
    }
    for ($i = 0; $i < 100 && @$gone->write(str_repeat('y', 65536)); $i++);
    var_dump($i < 100, $mine->errCode > 0);

    // Cycles through the socket are collected.
    $mine = new class (AF_INET, SOCK_STREAM, 0) extends Socket {
        public ?Response $response;
    };
    $mine->response = Response::create($mine);
    $watch = WeakReference::create($mine);
    unset($mine);
    gc_collect_cycles();
    var_dump($watch->get());
    $datagrams = new Socket(AF_INET, SOCK_DGRAM, 0);
    var_dump(Response::create($datagrams), Response::create([1, 2]), Response::create([$datagrams]), Response::create(new stdClass()));
});
unlink($file);

echo "--- in a server\n";
serve(function (Request $request, Response $response): void {
    $server = $GLOBALS['running'];
    switch ($request->server['request_uri']) {
        case '/request': Response::create([$server, $request])->end('by its request'); break;
        case '/fd': Response::create($server, $request->fd)->end('by its connection'); break;
        case '/detached': $response->detach(); Response::create([$server, $request])->end('detached'); break;
        case '/over': $response->end('over'); var_dump(Response::create([$server, $request])); break;
    }
}, [], function (callable $ask): void {
    foreach (['/request', '/fd', '/detached', '/over'] as $path) {
        echo substr(strrchr($ask("GET $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), "\n"), 1), "\n";
    }
}, ['workerStart' => function (Swoole\Http\Server $server): void {
    $GLOBALS['running'] = $server;
}]);
?>
--EXPECTF--
--- end: [true,true]
bool(true)
bool(true)
bool(true)
bool(false)
bool(false)
bool(false)
int(7106)
HTTP/1.1 201 Created
X-A: one
X-A: two
Set-Cookie: c=d
Server: stampede
Content-Type: text/html
Connection: keep-alive
Content-Length: 4

body
--- pieces and trailers: [true,true]
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
HTTP/1.1 200 OK
Server: stampede
Content-Type: text/html
Connection: keep-alive
Transfer-Encoding: chunked

3
one
3
two
0
X-Sum: 3


--- HEAD: [true,true]
bool(true)
HTTP/1.1 200 OK
Server: stampede
Content-Type: text/html
Connection: close
Content-Length: 4


--- HTTP/1.0: [true,true]
bool(true)
bool(true)
HTTP/1.1 200 OK
Server: stampede
Content-Type: text/html
Connection: close

onetwo
--- a file: [true,true]
bool(true)
bool(false)
HTTP/1.1 200 OK
Server: stampede
Content-Type: application/octet-stream
Connection: keep-alive
Content-Length: 5

23456
--- redirect: [true,true]
bool(true)
HTTP/1.1 302 Found
Location: /there
Server: stampede
Content-Type: text/html
Connection: keep-alive
Content-Length: 0


--- no more than promised: [true,true]
bool(true)
bool(true)
HTTP/1.1 200 OK
Server: stampede
Content-Type: text/html
Connection: keep-alive
Content-Length: 4

1234
--- what cannot be: [true,true]

Warning: Swoole\Http\Response::upgrade(): upgrade() needs a request of a server: Swoole\Coroutine\Http\Server accepts WebSockets in coroutines in %s on line %d

Warning: Swoole\Http\Response::earlyHints(): earlyHints() needs a request of a server, not a socket in %s on line %d
bool(false)
bool(false)
bool(false)
bool(true)
bool(false)

--- close: [true,true]
bool(true)
bool(false)
(closed)

true written
bool(true)
bool(true)
bool(true)
NULL

Warning: Swoole\Http\Response::create(): a response needs a stream socket (SOCK_STREAM) in %s on line %d

Warning: Swoole\Http\Response::create(): an array has to hold a server or a Swoole\Coroutine\Socket and a Swoole\Http\Request in %s on line %d

Warning: Swoole\Http\Response::create(): an array has to hold a server or a Swoole\Coroutine\Socket and a Swoole\Http\Request in %s on line %d

Warning: Swoole\Http\Response::create(): connection#-1 has no request, or no single one, that waits for a response in %s on line %d
bool(false)
bool(false)
bool(false)
bool(false)
--- in a server

Warning: Swoole\Http\Response::create(): the request waits for no response of this worker in %s on line %d
bool(false)
by its request
by its connection
detached
over
