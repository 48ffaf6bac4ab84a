--TEST--
push() takes null for its flags, as frameworks give it: a final frame, without a message
--FILE--
<?php
set_error_handler(function (int $number, string $text): bool {
    echo "$text\n";
    return true;
});
Co\run(function () {
    $server = new Swoole\Coroutine\Http\Server('127.0.0.1', 0);
    $server->handle('/', function ($request, $response) {
        $response->upgrade();
        while (($frame = $response->recv(5)) instanceof Swoole\WebSocket\Frame && $frame->data !== 'bye') {
            $response->push("got $frame->data", WEBSOCKET_OPCODE_TEXT, null);
        }
        $response->disconnect(4000);
    });
    go(fn () => $server->start());
    $client = new Swoole\Coroutine\Http\Client('127.0.0.1', $server->port);
    $client->set(['open_websocket_close_frame' => true]);
    $client->upgrade('/');
    var_dump($client->push('hello', WEBSOCKET_OPCODE_TEXT, null));
    $frame = $client->recv(5);
    var_dump($frame->data, $frame->finish, $frame->fd === $client->socket->fd);
    $client->push('bye');
    var_dump($client->recv(5)->code, $client->recv(5), $client->recv(5));
    $server->shutdown();
});
$server = new Swoole\WebSocket\Server('127.0.0.1', 0);
var_dump($server->push(1, 'x', WEBSOCKET_OPCODE_TEXT, null));
?>
--EXPECT--
bool(true)
string(9) "got hello"
bool(true)
bool(true)
int(4000)
string(0) ""
bool(false)
bool(false)
