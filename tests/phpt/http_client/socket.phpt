--TEST--
Coroutine\Http\Client: the socket of the connection
--FILE--
<?php
use Swoole\Coroutine\Http\{Client, Server};
use Swoole\Coroutine\Socket;

Swoole\Coroutine\run(function () {
    $server = new Server('127.0.0.1', 0);
    $server->set(['websocket_compression' => false]);
    $server->handle('/', fn ($request, $response) => $response->end('answer'));
    $server->handle('/events', function ($request, $response) {
        foreach (['one', 'two'] as $event) {
            $response->write("data: $event\n\n");
            Co::sleep(0.001);
        }
        $response->end();
    });
    $server->handle('/ws', function ($request, $response) {
        $response->upgrade();
        while ($frame = $response->recv()) {
            $response->push("got $frame->data");
        }
    });
    go(fn () => $server->start());
    $client = new Client('127.0.0.1', $server->port);
    var_dump($client->socket, $client->get('/'));
    $first = $client->socket;
    var_dump($first instanceof Socket, $first->fd > 0, $first->getpeername()['port'] === $server->port, $first->type === SOCK_STREAM, $first->domain === AF_INET);
    var_dump($client->get('/'), $client->socket === $first);
    $client->close();
    var_dump($client->socket, $first->isClosed(), $first->fd, $client->get('/'), $client->socket !== $first);

    // The answer is read past the client.
    $client->setDefer();
    $client->get('/events');
    $received = '';
    while (!str_contains($received, "0\r\n\r\n")) {
        $received .= $client->socket->recv(65536, 5);
    }
    var_dump(str_starts_with($received, 'HTTP/1.1 200 OK'), preg_match_all('/data: (\w+)/', $received, $events), $events[1]);
    $client->setDefer(false);

    // Somebody closes it: the next request makes another one.
    $client->socket->close();
    var_dump($client->get('/'), $client->body);

    // A frame of the application's own making; a push of the client meanwhile.
    $client->upgrade('/ws');
    $client->socket->sendAll(Swoole\WebSocket\Server::pack('mine', SWOOLE_WEBSOCKET_OPCODE_TEXT, SWOOLE_WEBSOCKET_FLAG_FIN | SWOOLE_WEBSOCKET_FLAG_MASK));
    var_dump($client->recv(5)->data);
    $socket = $client->socket;
    $waiting = go(function () use ($client) {
        var_dump($client->recv(5), $client->errCode === SOCKET_ECANCELED);
    });
    $client->close();
    Co::join([$waiting]);
    var_dump($socket->isClosed(), $client->socket);

    // The object goes on when the client is gone.
    $client->get('/');
    $socket = $client->socket;
    unset($client);
    $socket->sendAll("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    var_dump(str_ends_with($socket->recvAll(65536, 5), 'answer'));
    $client = new Client('127.0.0.1', 1);
    var_dump($client->get('/'), $client->errCode === SOCKET_ECONNREFUSED, $client->socket);
    $server->shutdown();
});
?>
--EXPECT--
NULL
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
NULL
bool(true)
int(-1)
bool(true)
bool(true)
bool(true)
int(2)
array(2) {
  [0]=>
  string(3) "one"
  [1]=>
  string(3) "two"
}
bool(true)
string(6) "answer"
string(8) "got mine"
bool(false)
bool(true)
bool(true)
NULL
bool(true)
bool(false)
bool(true)
NULL
