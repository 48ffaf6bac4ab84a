--TEST--
A worker is profiled and its heap looked at again and again while it computes, waits, throws, yields and starts programs
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../stream_server/peers.inc';

use Swoole\Coroutine;
use Swoole\Coroutine\{Channel, System, WaitGroup};
use Swoole\Http\{Request, Response, Server};

final class Node
{
    public array $next = [];
    public mixed $any = null;
    public function __get(string $name): mixed { usleep(500); return $this->$name ?? null; }
    public function __destruct() { usleep(200); }
}

function numbers(int $count): Generator
{
    $held = new Node();
    for ($i = 0; $i < $count; $i++) {
        usleep(300);
        yield $held => $i;
    }
}

$work = [
    '/spin' => static function (): void {
        for ($i = 0, $until = microtime(true) + 0.02; microtime(true) < $until; $i++) {
            $texts["key $i"] = md5((string) $i);
        }
    },
    '/generator' => static function (): void {
        foreach (numbers(5) as $node => $i) {
            $node->next[] = $i;
        }
    },
    '/throw' => static function (): void {
        try {
            array_map(static fn (int $i) => $i > 3 ? throw new RuntimeException((string) $i) : usleep(100), range(1, 9));
        } catch (RuntimeException $e) {
            usleep(200);
        }
    },
    '/nested' => static function (): void {
        [$channel, $group] = [new Channel(2), new WaitGroup()];
        for ($i = 0; $i < 20; $i++) {
            $group->add();
            Coroutine::create(static function () use ($channel, $group, $i): void {
                $node = new Node();
                $node->any = &$i;
                $channel->push($node);
                Coroutine::defer(static fn () => usleep(100));
                $group->done();
            });
        }
        for ($i = 0; $i < 20; $i++) {
            $channel->pop(1);
        }
        $group->wait(1);
    },
    '/program' => static fn () => System::exec('exit 3'),
    '/containers' => static function (): void {
        [$map, $storage, $list, $heap] = [new WeakMap(), new SplObjectStorage(), new SplDoublyLinkedList(), new SplMinHeap()];
        for ($i = 0; $i < 10; $i++) {
            $map[$node = new Node()] = $storage[$node] = new ArrayObject([$i, $node]);
            $list->push($node);
            $heap->insert($i);
            eval("\$made = new class { public static array \$kept = []; public function add() { static \$own = []; self::\$kept[] = \$own[] = {$i}; usleep(50); } }; \$made->add();");
        }
        (new DateTime())->modify('+1 day');
        (new ReflectionClass($map))->getMethods();
        preg_replace_callback('/./', static fn (array $found): string => usleep(10) ?? $found[0], 'text');
    },
];
$control = tempnam(sys_get_temp_dir(), 'control');
unlink($control);
$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => 1, 'control_socket' => $control, 'hook_flags' => SWOOLE_HOOK_ALL, 'http_compression' => false]);
$server->on('request', static function (Request $request, Response $response) use ($work): void {
    $work[$request->server['request_uri']]();
    $response->end('done');
});
serve_peers($server, static function () use ($server, $control, $work): void {
    $ask = static function (string $command, int $number) use ($control): array {
        $socket = stream_socket_client("unix://$control", timeout: 60);
        fwrite($socket, json_encode(['command' => $command, 'number' => $number]) . "\n");
        return json_decode((string) fgets($socket), true)['workers'][0];
    };
    $peer = connect_to("tcp://127.0.0.1:$server->port"); // the worker is there when it has responded
    fwrite($peer, "GET /program HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    stream_get_contents($peer);
    [$served, $profiled, $looked, $grown] = [0, 0, 0, 0];
    for ($round = 0; $round < 10; $round++) {
        $peers = [];
        foreach ([...array_keys($work), ...array_keys($work)] as $path) {
            $peers[] = $peer = connect_to("tcp://127.0.0.1:$server->port");
            fwrite($peer, "GET $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        }
        $profiled += isset($ask('profile', 5 << 2 | 2 - $round % 2)['profile']['stacks']) ? 1 : 0;
        $looked += isset($ask('heap', 8 << 16 | 1500 << 2 | 1)['heap']['objects']) ? 1 : 0;
        foreach ($peers as $peer) {
            $served += str_ends_with((string) stream_get_contents($peer), 'done') ? 1 : 0;
        }
        $grown += isset($ask('heap', 8 << 16 | 1500 << 2 | 2)['heap']['classes']) ? 1 : 0;
        isset($ask('heap', 8 << 16 | 1500 << 2)['heap']['holders']) || $looked--;
    }
    isset($ask('profile', 5 << 2)['profile']['stacks']) || $profiled--;
    echo "$served served, $profiled profiled, $looked looked at, $grown compared\n";
});
?>
--EXPECT--
120 served, 10 profiled, 10 looked at, 10 compared
