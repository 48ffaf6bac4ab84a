--TEST--
Coroutine\Http2\Client: a server that breaks the protocol, a server that goes away
--FILE--
<?php
use Swoole\Coroutine\{Http2\Client, Http2\MultiplexClient, Socket};
use Swoole\Http2\Request;

const HEADERS = 1, RST_STREAM = 3, SETTINGS = 4, PUSH_PROMISE = 5, GOAWAY = 7, WINDOW_UPDATE = 8;
const ACK = 1, END_STREAM = 1, END_HEADERS = 4;
const OK = "\x88";

function frame(int $type, int $flags, int $stream, string $payload = ''): string
{
    return substr(pack('N', strlen($payload)), 1) . chr($type) . chr($flags) . pack('N', $stream) . $payload;
}

function response(int $stream): string
{
    return frame(HEADERS, END_STREAM | END_HEADERS, $stream, OK);
}

/** Sends what $respond gives for each request, and keeps the connections until the end. */
function serve(Socket $listener, callable $respond): void
{
    while ($connection = $listener->accept()) {
        go(function () use ($connection, $respond): void {
            $connection->recvAll(24);
            $connection->sendAll(frame(SETTINGS, 0, 0) . frame(SETTINGS, ACK, 0));
            while (strlen($head = (string) $connection->recvAll(9)) === 9) {
                $length = unpack('N', "\0" . $head)[1];
                $length === 0 || $connection->recvAll($length);
                if (ord($head[3]) === HEADERS) {
                    $connection->sendAll($respond(unpack('N', $head, 5)[1]));
                }
            }
        });
    }
}

/** @return array{Client, callable} the client, connected, and what ends the server */
function peer(callable $respond, string $class = Client::class): array
{
    $listener = new Socket(AF_INET, SOCK_STREAM, 0);
    $listener->bind('127.0.0.1');
    $listener->listen();
    go(serve(...), $listener, $respond);
    $client = new $class('127.0.0.1', $listener->getsockname()['port']);
    $client->connect();
    return [$client, fn () => $client->close() . $listener->close()];
}

function tell(string $what, Client $client, mixed $result): void
{
    echo $what, ': ', json_encode($result), ' ', $client->errCode, ' ', $client->errMsg, ', connected ', json_encode($client->connected), "\n";
}

Co\run(function () {
    $violations = [
        'a push' => fn (int $id) => frame(PUSH_PROMISE, END_HEADERS, $id, pack('N', 2) . "\x82\x84\x87"),
        'a head that is no HPACK' => fn (int $id) => frame(HEADERS, END_STREAM | END_HEADERS, $id, str_repeat("\xff", 8)),
        'a window of nothing' => fn () => frame(WINDOW_UPDATE, 0, 0, pack('N', 0)),
        'an unknown stream' => fn () => response(9),
        'an unknown stream after GOAWAY' => fn (int $id) => frame(GOAWAY, 0, 0, pack('NN', $id, 0)) . response(9),
    ];
    foreach ($violations as $name => $respond) {
        [$client, $end] = peer($respond);
        $client->send(new Request());
        tell($name, $client, $client->recv(10));
        $end();
    }

    [$client, $end] = peer(fn (int $id) => response($id) . frame(GOAWAY, 0, 0, pack('NN', $id, 2)));
    $client->send(new Request());
    tell('the last response', $client, $client->recv(10)->statusCode);
    tell('a request after it', $client, $client->send(new Request()));
    tell('a new connection', $client, $client->connect());
    $end();

    [$client, $end] = peer(fn (int $id) => $id === 1 ? '' : frame(GOAWAY, 0, 0, pack('NN', 3, 0)) . response(3) . ($id === 3 ? '' : response(1)));
    $client->send(new Request());
    $client->send(new Request());
    tell('one of two responses', $client, $client->recv(10)->streamId);
    tell('a request meanwhile', $client, $client->send(new Request()));
    tell('no other response', $client, $client->recv(0.01));
    $end();

    $requests = 0;
    [$client, $end] = peer(function (int $id) use (&$requests) {
        return ++$requests === 1 ? frame(WINDOW_UPDATE, 0, 0, pack('N', 0)) : response($id);
    }, MultiplexClient::class);
    tell('a broken connection of many', $client, $client->request(new Request(), 10));
    echo 'the next request: ', $client->request(new Request(), 10)->statusCode, "\n";
    $end();
});
?>
--EXPECT--
a push: false 3006 the server broke the HTTP/2 protocol, connected false
a head that is no HPACK: false 3006 the server broke the HTTP/2 protocol, connected false
a window of nothing: false 3006 the server broke the HTTP/2 protocol, connected false
an unknown stream: false 3006 the server broke the HTTP/2 protocol, connected false
an unknown stream after GOAWAY: false 3006 the server broke the HTTP/2 protocol, connected false
the last response: 200 0 , connected true
a request after it: false 2 the server went away: INTERNAL_ERROR, connected false
a new connection: true 2 the server went away: INTERNAL_ERROR, connected true
one of two responses: 3 0 , connected true
a request meanwhile: false 0 the server went away: NO_ERROR, connected true
no other response: false 110 Connection timed out, connected true
a broken connection of many: false 3006 the server broke the HTTP/2 protocol, connected false
the next request: 200
