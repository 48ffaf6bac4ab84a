<?php

declare(strict_types=1);

/* A worker that leaves, and the WebSockets and event streams that an application of the command stampede has in it. */

namespace Stampede\Tests\E2e;

const ENDPOINTS = <<<'PHP'
    <?php

    use Stampede\Departure;
    use Stampede\Http\EventStream;
    use Swoole\Http\Request;
    use Swoole\Http\Response;

    return [
        'websocket' => [
            '/echo' => static function (Response $socket): void {
                while (is_object($frame = $socket->recv())) {
                    $socket->push($frame->data);
                }
            },
            '/late' => static function (Response $socket, Request $request, Departure $departure): void {
                $departure->listen(static fn () => $socket->push('soon'));
                $departure->postpone();
                while (is_object($frame = $socket->recv()) && $frame->data !== 'end') {
                    $socket->push($frame->data . ($departure->hasBegun() ? ' still' : ''));
                }
            },
        ],
        'events' => [
            '/ticks' => static function (EventStream $stream): void {
                while ($stream->event('tick')) {
                    Swoole\Coroutine::sleep(0.05);
                }
            },
            '/patient' => static function (EventStream $stream, Request $request, Departure $departure): void {
                while ($stream->event('began') && $departure->wait(600)) {
                }
            },
            '/deaf' => static function (EventStream $stream): void {
                $stream->event('began');
                try {
                    Swoole\Coroutine::sleep(600);
                } finally {
                    file_put_contents(__DIR__ . '/cleaned', 'x', FILE_APPEND);
                }
            },
        ],
    ];
    PHP;

/** @return list<int> */
function workers_of(Application $app): array
{
    return array_column(json_decode(Application::run(['status', $app->folder, '--format=json'])[1], true)['places'], 'pid');
}

/** @param list<int> $workers */
function have_ended(array $workers): bool
{
    return array_filter($workers, static fn (int $pid): bool => posix_kill($pid, 0)) === [];
}

function stream(Application $app, string $path): Peer
{
    $peer = new Peer("tcp://127.0.0.1:{$app->port}");
    $peer->send(["GET {$path} HTTP/1.1\r\nHost: a\r\n\r\n"]);
    $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'data: '));
    return $peer;
}

/** @return int|string the code of the close frame that comes next */
function goodbye(WebSocketPeer $socket, float $seconds = 10.0): int|string
{
    [$opcode, $data] = $socket->frameOf($seconds) ?? [0, ''];
    if ($opcode !== 8) {
        return "opcode {$opcode}: {$data}";
    }
    $socket->send(substr($data, 0, 2), 8);
    return unpack('n', $data)[1];
}

final class launcher_departure_test extends EndToEndTest
{
    private static Application $app;
    private static string $address;

    public static function setUpBeforeClass(): void
    {
        self::$app = $app = new Application('plain');
        file_put_contents("{$app->folder}/endpoints.php", ENDPOINTS);
        self::$address = "tcp://127.0.0.1:{$app->port}";
    }

    public function testAReloadWith200OpenStreams(): void
    {
        [$app, $address] = [self::$app, self::$address];
        $this->check('an application with endpoints is served', self::serve(60), $app->output());
        $sockets = array_map(static fn (): WebSocketPeer => new WebSocketPeer($address, '/echo'), range(1, 100));
        $streams = [...array_map(static fn (): Peer => stream($app, '/ticks'), range(1, 50)), ...array_map(static fn (): Peer => stream($app, '/patient'), range(1, 50))];
        $workers = workers_of($app);
        $began = microtime(true);
        posix_kill($app->pid(), SIGUSR1);
        $statuses = [];
        $ended = Server::until(60.0, static function () use ($app, $workers, &$statuses): bool {
            $statuses[] = $app->ask('/')[0];
            return have_ended($workers);
        });
        $seconds = microtime(true) - $began;
        $this->check('the workers before it are gone long before max_wait_time', $ended && $seconds < 20.0, sprintf('%.2f s', $seconds));
        $this->same('every WebSocket was told to come again', [1001], array_values(array_unique(array_map(goodbye(...), $sockets))));
        $this->same('every event stream has come to its end', 100, count(array_filter($streams, static fn (Peer $peer): bool => str_ends_with($peer->readToEnd(), "\n\n\r\n0\r\n\r\n"))));
        $this->same('no other request has failed', [200], array_values(array_unique($statuses)));
        printf("# reload with 200 open streams: %.2f s, %d requests beside it\n", $seconds, count($statuses));
        $app->stop();
    }

    public function testEndpointsThatTakeTheirTime(): void
    {
        [$app, $address] = [self::$app, self::$address];
        $this->check('with little time', self::serve(6), $app->output());
        $late = array_map(static fn (): WebSocketPeer => new WebSocketPeer($address, '/late'), range(1, 2));
        $deaf = [stream($app, '/deaf'), stream($app, '/deaf')];
        $workers = workers_of($app);
        posix_kill($app->pid(), SIGUSR1);
        $this->same('an endpoint hears that its worker leaves', ['soon', 'soon'], array_map(static fn (WebSocketPeer $socket): ?string => $socket->text(), $late));
        $this->check('a function that does not listen is ended where it waits', Server::until(5.0, static fn (): bool => @file_get_contents("{$app->folder}/cleaned") === 'xx'));
        $this->same('its client at once', [true, true], array_map(static fn (Peer $peer): bool => str_ends_with($peer->readToEnd(), "0\r\n\r\n"), $deaf));
        $late[0]->send('hello');
        $this->same('one that has asked for it goes on', 'hello still', $late[0]->text());
        $late[0]->send('end');
        $this->same('until it ends by itself', 1000, goodbye($late[0]));
        $this->same('or the time is nearly over', 1001, goodbye($late[1]));
        $this->check('all of it within max_wait_time', Server::until(10.0, static fn (): bool => have_ended($workers)) && !str_contains($app->output(), 'connections open'), $app->output());
        $this->check('none of it is an error', !str_contains($app->output(), 'Exception'), $app->output());
        unset($app);
    }

    private static function serve(int $waitTime): bool
    {
        $app = self::$app;
        return $app->serve(['--workers=2', '--endpoints=endpoints.php', '--log-format=off', "--server={\"max_wait_time\":{$waitTime}}"]);
    }
}
