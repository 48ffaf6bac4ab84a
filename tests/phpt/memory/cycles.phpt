--TEST--
Memory: objects of the API in reference cycles are freed whole by the cycle collector
--FILE--
<?php
use Swoole\Coroutine;

use function Swoole\Coroutine\run;

/** Something that only a cycle keeps alive; counts itself. */
final class Owner
{
    public static int $alive = 0;
    public mixed $held = null;

    public function __construct()
    {
        self::$alive++;
    }

    public function __destruct()
    {
        self::$alive--;
    }

    public function call(mixed ...$arguments): mixed
    {
        return 0;
    }
}

const ROUNDS = 300;

/** Makes cycles of owner and object, collects them, and says what is left of them and of their memory. */
function check(string $name, Closure $make): void
{
    $round = static function (int $times) use ($make): void {
        for ($i = 0; $i < $times; $i++) {
            $owner = new Owner();
            $owner->held = $make($owner);
            unset($owner);
            if ($i % 3 === 0) {
                gc_collect_cycles(); // also while younger ones are not garbage yet
            }
        }
        gc_collect_cycles();
    };
    $round(50);
    $before = memory_get_usage();
    $round(ROUNDS);
    $grown = memory_get_usage() - $before;
    printf("%s: %d alive, %s\n", $name, Owner::$alive, $grown < ROUNDS * 16 ? 'no growth' : "grown by $grown bytes");
    Owner::$alive = 0;
}

/** Holds the owner in a property of its own: a cycle that goes through the object. */
function with_property(object $object, Owner $owner): object
{
    @$object->back = $owner; // dynamic properties are deprecated
    return $object;
}

gc_enable();
$message = "POST /a?b=c HTTP/1.1\r\nHost: h\r\nCookie: a=b\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\nx=y";
run(static function () use ($message): void {
    check('Http\Request', static function (Owner $owner) use ($message): object {
        $request = Swoole\Http\Request::create();
        $request->parse($message);
        $request->header['me'] = $owner;
        return $request;
    });
    check('Http\Request, not read', static function (Owner $owner) use ($message): object {
        $request = Swoole\Http\Request::create();
        $request->parse($message);
        return with_property($request, $owner);
    });
    check('Http\Response', static fn (Owner $owner): object => with_property(new Swoole\Http\Response(), $owner));
    check('Http\Response in an array', static fn (Owner $owner): array => [new Swoole\Http\Response(), $owner]);
    check('Http\Cookie', static fn (Owner $owner): array => [new Swoole\Http\Cookie(), $owner]);
    check('Http\Client', static function (Owner $owner): object {
        $client = new Swoole\Coroutine\Http\Client('127.0.0.1', 1);
        $client->set(['write_func' => [$owner, 'call'], 'timeout' => 1]);
        $client->setHeaders(['me' => 'x']);
        return with_property($client, $owner);
    });
    check('Http2\Client', static fn (Owner $owner): object => with_property(new Swoole\Coroutine\Http2\Client('127.0.0.1', 1), $owner));
    check('Coroutine\Client', static fn (Owner $owner): object => with_property(new Swoole\Coroutine\Client(SWOOLE_SOCK_TCP), $owner));
    check('Coroutine\Socket', static function (Owner $owner): object {
        $socket = new Swoole\Coroutine\Socket(AF_INET, SOCK_STREAM, 0);
        $socket->setProtocol(['open_length_check' => true, 'package_length_func' => [$owner, 'call']]);
        return with_property($socket, $owner);
    });
    check('Client', static function (Owner $owner): object {
        $client = new Swoole\Client(SWOOLE_SOCK_TCP);
        $client->set(['open_length_check' => true, 'package_length_func' => [$owner, 'call']]);
        return with_property($client, $owner);
    });
    check('Async\Client', static function (Owner $owner): object {
        $client = new Swoole\Async\Client(SWOOLE_SOCK_TCP);
        foreach (['connect', 'receive', 'error', 'close'] as $event) {
            $client->on($event, static fn () => $owner);
        }
        return $client;
    });
    check('Channel', static function (Owner $owner): object {
        $channel = new Swoole\Coroutine\Channel(4);
        $channel->push($owner);
        $channel->push([$channel, $owner]);
        return $channel;
    });
    check('WaitGroup', static fn (Owner $owner): object => with_property(new Swoole\Coroutine\WaitGroup(), $owner));
    check('Barrier', static fn (Owner $owner): array => [Swoole\Coroutine\Barrier::make(), $owner]);
    check('Coroutine\Lock', static fn (Owner $owner): array => [new Swoole\Coroutine\Lock(), $owner]);
    check('Process', static fn (Owner $owner): object => new Swoole\Process([$owner, 'call']));
    check('Table', static fn (Owner $owner): object => with_property(new Swoole\Table(8), $owner));
    check('Atomic', static fn (Owner $owner): object => with_property(new Swoole\Atomic(), $owner));
    check('Lock', static fn (Owner $owner): object => with_property(new Swoole\Lock(), $owner));
    check('ConnectionPool', static function (Owner $owner): object {
        $pool = new Swoole\ConnectionPool(static fn () => $owner, 2);
        $pool->put($pool->get());
        return $pool;
    });
    check('Coroutine\Http\Server', static function (Owner $owner): object {
        $server = new Swoole\Coroutine\Http\Server('127.0.0.1', 0);
        $server->handle('/', [$owner, 'call']);
        return $server;
    });
    check('context of an ended coroutine', static function (Owner $owner): object {
        $context = null;
        Coroutine::create(static function () use (&$context, $owner): void {
            $context = Coroutine::getContext();
            $context['owner'] = $owner;
        });
        return $context;
    });
    check('coroutine that threw', static function (Owner $owner): object {
        Coroutine::join([Coroutine::create(static function () use ($owner): void {
            $mine = new ArrayObject([$owner]);
            $mine['me'] = $mine;
            try {
                throw new Exception('x');
            } catch (Exception $error) {
                $owner->held = $error;
            }
        })]);
        return new stdClass();
    });
    check('coroutine that was cancelled', static function (Owner $owner): object {
        $context = new ArrayObject([$owner]);
        $cid = Coroutine::create(static function () use ($context): void {
            $context['me'] = $context;
            Coroutine::sleep(10);
        });
        Coroutine::cancel($cid);
        Coroutine::join([$cid]);
        return $context;
    });
});
check('Scheduler', static function (Owner $owner): object {
    $scheduler = new Swoole\Coroutine\Scheduler();
    $scheduler->add([$owner, 'call'], $owner, [$scheduler]);
    return $scheduler;
});
check('Server', static function (Owner $owner): object {
    $server = new Swoole\Http\Server('127.0.0.1', 0);
    $server->on('request', [$owner, 'call']);
    $port = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
    $port->on('request', static fn () => [$owner, $server]);
    $owner->held = $port;
    $port->on('close', [$owner, 'call']);
    return $server;
});
$port = (new Swoole\Http\Server('127.0.0.1', 0))->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
var_dump(@$port->on('request', 'strlen'), error_get_last()['message'] ?? null);
?>
--EXPECT--
Http\Request: 0 alive, no growth
Http\Request, not read: 0 alive, no growth
Http\Response: 0 alive, no growth
Http\Response in an array: 0 alive, no growth
Http\Cookie: 0 alive, no growth
Http\Client: 0 alive, no growth
Http2\Client: 0 alive, no growth
Coroutine\Client: 0 alive, no growth
Coroutine\Socket: 0 alive, no growth
Client: 0 alive, no growth
Async\Client: 0 alive, no growth
Channel: 0 alive, no growth
WaitGroup: 0 alive, no growth
Barrier: 0 alive, no growth
Coroutine\Lock: 0 alive, no growth
Process: 0 alive, no growth
Table: 0 alive, no growth
Atomic: 0 alive, no growth
Lock: 0 alive, no growth
ConnectionPool: 0 alive, no growth
Coroutine\Http\Server: 0 alive, no growth
context of an ended coroutine: 0 alive, no growth
coroutine that threw: 0 alive, no growth
coroutine that was cancelled: 0 alive, no growth
Scheduler: 0 alive, no growth
Server: 0 alive, no growth
bool(false)
string(73) "Swoole\Server\Port::on(): the server of this port does not exist any more"
