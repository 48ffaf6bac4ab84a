--TEST--
Coroutine\Http\Client: WebSocket messages, pings, closing from both sides
--FILE--
<?php
use Swoole\Coroutine\Http\{Client, Server};
use Swoole\WebSocket\{CloseFrame, Frame};
Swoole\Coroutine\run(function () {
    $server = new Server('127.0.0.1', 0);

    $server->set(['websocket_compression' => true]);
    $server->handle('/', function ($request, $response) {
        if (!$response->upgrade()) {
            return;
        }
        while (($frame = $response->recv()) instanceof Frame) {
            if ($frame instanceof CloseFrame) {
                echo "server: closed with $frame->code '$frame->reason'\n";
            } elseif ($frame->data === 'close') {
                $response->disconnect(1001, 'going');
            } elseif ($frame->data === 'drop') {
                $response->close();
            } elseif ($frame->data === 'ping') {
                $response->ping('are you there');
                $response->push('after the ping');
            } else {
                $response->push($frame->data, $frame->opcode, SWOOLE_WEBSOCKET_FLAG_FIN | SWOOLE_WEBSOCKET_FLAG_COMPRESS);
            }
        }
        var_dump($frame);
        var_dump($response->push('late'));
    });
    go(fn () => $server->start());
    foreach ([false, true] as $compression) {
        $client = new Client('127.0.0.1', $server->port);
        $client->set(['websocket_compression' => $compression]);
        var_dump($client->recv(), $client->errCode === SWOOLE_ERROR_CLIENT_NO_CONNECTION, $client->push('x'), $client->errCode === SWOOLE_ERROR_WEBSOCKET_UNCONNECTED);
        $client->set(['open_websocket_close_frame' => !$compression]);
        var_dump($client->upgrade('/'), $client->statusCode);
        $client->push('text');
        $frame = $client->recv(5);
        var_dump($frame->data, $frame->opcode, $frame->finish, ($frame->flags & SWOOLE_WEBSOCKET_FLAG_COMPRESS) !== 0);
        $frame = new Frame();
        $frame->data = str_repeat('binary', 50000);
        $frame->opcode = WEBSOCKET_OPCODE_BINARY;
        $frame->flags = SWOOLE_WEBSOCKET_FLAG_FIN | SWOOLE_WEBSOCKET_FLAG_COMPRESS;
        $client->push($frame);
        $answer = $client->recv(5);
        var_dump($answer->data === $frame->data, $answer->opcode);
        $client->push('frag', WEBSOCKET_OPCODE_TEXT, 0);
        $client->push('ments', WEBSOCKET_OPCODE_CONTINUATION);
        var_dump($client->recv(5)->data);
        $client->push('ping');
        var_dump($client->recv(5)->data, $client->ping('x'), $client->recv(0.01), $client->errCode === SOCKET_ETIMEDOUT, $client->connected);
        var_dump(@$client->push('x', 11), @$client->push(str_repeat('x', 126), WEBSOCKET_OPCODE_PING));
        if ($compression) {
            var_dump($client->disconnect(4321, 'enough'), $client->connected);
        } else {
            $client->push('close');
            $frame = $client->recv(5);
            var_dump(get_class($frame), $frame->code, $frame->reason, $client->recv(1), $client->errCode === SWOOLE_ERROR_CLIENT_NO_CONNECTION, $client->connected);
        }
    }
    $client->upgrade('/');
    $client->push('drop');
    var_dump($client->recv(5), $client->errCode, $client->connected, $client->recv(5), $client->errCode === SWOOLE_ERROR_CLIENT_NO_CONNECTION);
    $client->upgrade('/');
    $client->push('close');
    var_dump($client->recv(5), $client->errCode, $client->recv(5), $client->errCode === SWOOLE_ERROR_CLIENT_NO_CONNECTION);
    $client->set(['open_websocket_ping_frame' => true]);
    $client->upgrade('/');
    $client->push('ping');
    $frame = $client->recv(5);
    var_dump($frame->opcode === WEBSOCKET_OPCODE_PING, $frame->data, $client->close());
    $server->shutdown();
});
?>
--EXPECT--
bool(false)
bool(true)
bool(false)
bool(true)
bool(true)
int(101)
string(4) "text"
int(1)
bool(true)
bool(false)
bool(true)
int(2)
string(9) "fragments"
string(14) "after the ping"
bool(true)
bool(false)
bool(true)
bool(true)
bool(false)
bool(false)
string(27) "Swoole\WebSocket\CloseFrame"
int(1001)
string(5) "going"
string(0) ""
bool(false)
bool(false)
bool(false)
bool(true)
bool(false)
bool(true)
server: closed with 1001 ''
string(0) ""
bool(false)
bool(true)
int(101)
string(4) "text"
int(1)
bool(true)
bool(true)
bool(true)
int(2)
string(9) "fragments"
string(14) "after the ping"
bool(true)
bool(false)
bool(true)
bool(true)
bool(false)
bool(false)
server: closed with 4321 'enough'
string(0) ""
bool(false)
bool(true)
bool(false)
string(0) ""
bool(false)
string(0) ""
int(0)
bool(false)
bool(false)
bool(true)
string(0) ""
int(0)
bool(false)
bool(true)
server: closed with 1001 ''
string(0) ""
bool(false)
bool(true)
string(13) "are you there"
bool(true)
server: closed with 1000 ''
string(0) ""
bool(false)
