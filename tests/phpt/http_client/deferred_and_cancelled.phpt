--TEST--
Coroutine\Http\Client: deferred answers, cancelled and destroyed waits, closing while waiting
--FILE--
<?php
use Swoole\Coroutine\Http\{Client, Server};
use Swoole\WebSocket\{CloseFrame, Frame};
Swoole\Coroutine\run(function () {
    $server = new Server('127.0.0.1', 0);

    $server->handle('/', fn ($request, $response) => $response->end('now'));
    $server->handle('/late', function ($request, $response) {
        Co::sleep(0.05);
        $response->end('late');
    });
    $told = new Swoole\Coroutine\Channel();
    $server->handle('/when', fn ($request, $response) => $response->end($told->pop() ? 'told' : ''));
    $server->handle('/never', fn ($request, $response) => Co::sleep(2));
    go(fn () => $server->start());
    $client = new Client('127.0.0.1', $server->port);
    $client->setDefer();
    var_dump($client->get('/late'), $client->body, $client->recv(), $client->body, $client->recv());
    $client->set(['timeout' => 0.3]);
    $client->get('/when told');
    Co::sleep(0.35);
    go(function () use ($told) {
        Co::sleep(0.01);
        $told->push(true);
    });
    var_dump($client->recv(), $client->body);
    $client->set(['timeout' => -1]);
    $client->setDefer(false);
    $cid = go(function () use ($client) {
        var_dump($client->get('/never'), $client->errCode === SOCKET_ECANCELED, $client->connected);
    });
    Co::sleep(0.01);
    try {
        $client->get('/');
    } catch (Swoole\Error $error) {
        echo preg_replace('~\d+~', 'N', strtok($error->getMessage(), ',')), "\n";
    }
    Co::cancel($cid);
    Co::join([$cid]);
    var_dump($client->get('/'), $client->body);
    $cid = go(function () use ($client) {
        var_dump($client->get('/never'), $client->errCode === SOCKET_ECANCELED);
    });
    Co::sleep(0.01);
    var_dump($client->close());
    Co::join([$cid]);
    $client->set(['timeout' => 0.05]);
    var_dump($client->get('/never'), $client->statusCode, $client->errCode === SOCKET_ETIMEDOUT, $client->errMsg);
    $client->set(['timeout' => -1, 'read_timeout' => 0.05]);
    var_dump($client->get('/never'), $client->statusCode);
    go(fn () => (new Client('127.0.0.1', $server->port))->get('/never'));
    $server->shutdown();
    echo "done\n";
});
?>
--EXPECT--
bool(true)
string(0) ""
bool(true)
string(4) "late"
bool(false)
bool(true)
string(4) "told"
Socket#N has already been bound to another coroutine#N
bool(false)
bool(true)
bool(false)
bool(true)
string(3) "now"
bool(true)
bool(false)
bool(true)
bool(false)
int(-2)
bool(true)
string(20) "Connection timed out"
bool(false)
int(-2)
done
