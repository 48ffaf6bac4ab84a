--TEST--
Memory: a response with fields and a request, held by a cycle of their handler, are freed whole
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Coroutine\Http\{Client, Server};

use function Swoole\Coroutine\run;

const ROUNDS = 500;

/** How a handler keeps what it was given: each is a cycle. */
$ways = [
    'a context array' => static function (object $request, object $response): void {
        $context = new ArrayObject([$request, $response]);
        $context['me'] = $context;
    },
    'a closure' => static function (object $request, object $response): void {
        $again = null;
        $again = static function () use (&$again, $request, $response): void {
        };
    },
    'the objects themselves' => static function (object $request, object $response): void {
        $request->header['response'] = $response;
        @$response->request = $request; // dynamic properties are deprecated
    },
    'the context of the coroutine' => static function (object $request, object $response): void {
        $context = Coroutine::getContext();
        $context['all'] = [$context, $request, $response];
    },
    'an exception' => static function (object $request, object $response): void {
        $holder = new stdClass();
        $holder->error = new Exception('x');
        $holder->all = [$holder, $request, $response];
        throw $holder->error;
    },
];
$way = null;
$looked_at = null;

run(static function () use ($ways, &$way, &$looked_at): void {
    $server = new Server('127.0.0.1', 0);
    $server->handle('/', static function (object $request, object $response) use (&$way, &$looked_at): void {
        for ($i = 0; $i < 8; $i++) {
            $response->header("Field-$i", "value of $i");
            $response->cookie("cookie$i", 'value');
        }
        $request->header['x'] = $request->server;
        $looked_at = count((array) $response);
        $response->end('hello');
        try {
            $way($request, $response);
        } catch (Exception) {
        }
    });
    Coroutine::create(static fn () => $server->start());
    $ask = static function (int $times) use ($server): void {
        $client = new Client('127.0.0.1', $server->port);
        for ($i = 0; $i < $times; $i++) {
            if (!$client->get('/?a=b') || $client->body !== 'hello') {
                echo "no response\n";
            }
            if ($i % 50 === 0) {
                gc_collect_cycles(); // also between the request and its end
            }
        }
        $client->close();
        gc_collect_cycles();
    };
    foreach ($ways as $name => $way) {
        $ask(100);
        $before = memory_get_usage();
        $ask(ROUNDS);
        $grown = memory_get_usage() - $before;
        printf("%s: %s\n", $name, $grown < ROUNDS * 32 ? 'no growth' : "grown by $grown bytes");
    }
    $server->shutdown();
});
var_dump($looked_at > 4);
?>
--EXPECT--
a context array: no growth
a closure: no growth
the objects themselves: no growth
the context of the coroutine: no growth
an exception: no growth
bool(true)
