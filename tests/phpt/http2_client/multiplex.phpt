--TEST--
Coroutine\Http2\MultiplexClient: what request() says of a time limit, of close() and of a lost connection, and what becomes of a connection that is idle
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Coroutine\Http2\MultiplexClient;
use Swoole\Http2\Request;

function request(float $wait = 0): Request
{
    $request = new Request();
    $request->method = 'POST';
    $request->data = (string) $wait;
    return $request;
}

function wait_until(callable $holds): bool
{
    for ($end = microtime(true) + 10; !($is = $holds()) && microtime(true) < $end;) {
        Coroutine::sleep(0.005);
    }
    return $is;
}

Coroutine\run(static function (): void {
    $server = new Coroutine\Http\Server('127.0.0.1', 0);
    $server->set(['open_http2_protocol' => true]);
    $asked = 0;
    $end = new Coroutine\Channel();
    $server->handle('/', static function ($request, $response) use (&$asked, $end): void {
        $asked++;
        $end->pop((float) $request->getContent() ?: 0.001);
        $response->end('done');
    });
    Coroutine::create(static fn () => $server->start());
    $client = static function (array $settings = []) use ($server): MultiplexClient {
        $client = new MultiplexClient('127.0.0.1', $server->port);
        $client->set($settings);
        return $client;
    };
    $many = $client();
    foreach (['recv' => [], 'read' => [], 'write' => [1, 'x'], 'goaway' => []] as $method => $arguments) {
        try {
            $many->$method(...$arguments);
        } catch (BadMethodCallException $error) {
            echo $error->getMessage(), "\n";
        }
    }
    var_dump($many->request(request(30), 0.02), $many->errCode === SWOOLE_ERROR_CO_TIMEDOUT, $many->request(request())->data);
    $limited = $client(['timeout' => 0.02]);
    var_dump($limited->request(request(30)), $limited->errCode === SWOOLE_ERROR_CO_TIMEDOUT, $limited->request(request(0.1), 10)->data);

    $seen = [];
    for ($i = 0; $i < 50; $i++) {
        Coroutine::create(static function () use ($many, &$seen): void {
            $seen[] = [$many->request(request(30)), $many->errCode];
        });
    }
    wait_until(static function () use (&$asked): bool {
        return $asked === 54;
    });
    var_dump($many->close(), $many->close());
    wait_until(static function () use (&$seen): bool {
        return count($seen) === 50;
    });
    var_dump(array_unique($seen, SORT_REGULAR) === [[false, SWOOLE_ERROR_CLIENT_NO_CONNECTION]], $many->request(request(), 10)->data);

    $idle = $client(['heartbeat_check_interval' => 0.02, 'heartbeat_idle_time' => 0.05]);
    var_dump($idle->request(request(0.5), 10)->data);  // which is no idle time
    var_dump(wait_until(static fn (): bool => !$idle->connected), $idle->request(request(), 10)->data);
    $idle->close();
    $many->close();
    $limited->close();
    $end->close();
    $server->shutdown();
});
?>
--EXPECT--
recv() is not for a MultiplexClient, whose connection many coroutines use: call request()
read() is not for a MultiplexClient, whose connection many coroutines use: call request()
write() is not for a MultiplexClient, whose connection many coroutines use: call request()
goaway() is not for a MultiplexClient, whose connection many coroutines use: call request()
bool(false)
bool(true)
string(4) "done"
bool(false)
bool(true)
string(4) "done"
bool(true)
bool(false)
bool(true)
string(4) "done"
string(4) "done"
bool(true)
string(4) "done"
