<?php

declare(strict_types=1);

/* Beside an application that the command stampede serves: WebSocket and event-stream endpoints, and background commands. */

namespace Stampede\Tests\E2e;

final class launcher_beside_test extends EndToEndTest
{
    private static Application $app;
    private static bool $isServed;
    private static string $notes;

    public static function setUpBeforeClass(): void
    {
        self::$app = $app = new Application('plain');
        self::$notes = $notes = External::folder();
        file_put_contents("{$app->folder}/stampede.php", '<?php return ' . var_export([
            'workers' => 1,
            'isolation' => 'sequential',
            'request-timeout' => 2,
            'endpoints' => 'beside/endpoints.php',
            'background' => [
                'queue' => ['php', "{$app->folder}/beside/queue.php", $notes],
                'cleanup' => ['command' => ['/bin/sh', '-c', "echo x >>{$notes}/cleaned"], 'every' => 0.2],
                'broken' => ['/nowhere/at all'],
                'family' => ['/bin/sh', '-c', "echo \$\$ >>{$notes}/parents; /bin/sh -c 'echo \$\$ >>{$notes}/children; while :; do sleep 0.05; done' & wait"],
                'late' => ['command' => ['/bin/sh', '-c', "echo \$\$ >>{$notes}/late; sleep 1000 & sleep 1000"], 'every' => 0.1, 'timeout' => 0.5],
                'stubborn' => ['/bin/sh', '-c', "trap '' TERM; echo \$\$ >>{$notes}/stubborn; while :; do sleep 0.05; done"],
            ],
        ], true) . ';');
        self::$isServed = self::$app->serve();
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $notes = self::$notes;
        exec('rm -rf ' . escapeshellarg($notes));
    }

    public function testEndpoints(): void
    {
        $app = self::$app;
        $this->check('an application with endpoints and background commands is served', self::$isServed, $app->output());
        $address = "tcp://127.0.0.1:{$app->port}";

        $sockets = array_map(static fn (int $i): WebSocketPeer => new WebSocketPeer($address, "/echo?name=client{$i}"), range(1, 20));
        foreach ($sockets as $socket) {
            $socket->send('hello');
        }
        $this->same('twenty WebSocket clients of one worker', array_map(static fn (int $i): string => "hello client{$i}", range(1, 20)), array_map(static fn (WebSocketPeer $socket): ?string => $socket->text(), $sockets));
        $this->same('the application responds beside them', 200, $app->ask('/')[0]);
        $stream = new Peer($address);
        $stream->send(["GET /ticks HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $this->check('an event stream lives longer than requests may', str_contains($stream->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'tick 210'), 30.0), "event: tick\nid: 210\ndata: tick 210\n\n"));
        $this->same('the application responds beside it', 200, $app->ask('/')[0]);
        $stream->close();
        [$status, $head, $body] = $app->ask('/ticks?count=2');
        $this->check('an event stream that ends', $status === 200 && str_contains($head, 'Content-Type: text/event-stream') && str_ends_with($body, "event: tick\nid: 2\ndata: tick 2\n\n"), $body);
        $this->same('an ordinary request for a WebSocket endpoint', 426, $app->ask('/echo')[0]);
        $sockets[0]->send('fail');
        $sockets[1]->send('end');
        $this->same('an endpoint that fails closes with 1011, one that ends with 1000', [[8, 1011], [8, 1000]], array_map(static function (WebSocketPeer $socket): array {
            [$opcode, $data] = $socket->frameOf() ?? [0, "\0\0"];
            return [$opcode, unpack('n', $data)[1]];
        }, [$sockets[0], $sockets[1]]));
        $this->check('the failure is in the log, its neighbours go on', Server::until(5.0, fn (): bool => str_contains($app->output(), 'the endpoint fails on purpose')));
        $sockets[2]->send('still');
        $this->same('a neighbour', 'still client3', $sockets[2]->text());
        $busy = new Peer($address);
        $busy->send(["GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $waiting = new Peer($address);
        $waiting->send(["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $sockets[2]->send('beside');
        $this->same('an endpoint goes on beside a request that waits', 'beside client3', $sockets[2]->text());
        $this->same('requests still come one after the other', '', $waiting->received());
        $this->same('the one that waits too long gets 504, then the next is served', [504, 200], [Answer::all($busy->readToEnd(20.0), ['GET'])[0]->status ?? 0, Answer::all($waiting->readToEnd(20.0), ['GET'])[0]->status ?? 0]);
    }

    public function testBackgroundCommands(): void
    {
        $app = self::$app;
        $this->check('a background command runs with the extension', Server::until(10.0, fn (): bool => count(self::lines('started')) === 1) && str_ends_with(self::lines('started')[0], ' with'), implode('|', self::lines('started')));
        $this->check('one with an interval runs again and again', Server::until(10.0, fn (): bool => count(self::lines('cleaned')) > 3));
        $this->check('one that takes longer than it may ends, and starts again', Server::until(20.0, fn (): bool => count(self::lines('late')) >= 3) && str_contains($app->output(), 'Background command "late" has run for 0.5 s, which is its limit'), $app->output());
        exec('pgrep -g ' . (int) self::lines('late')[0], $left);
        $this->same('with what it has started', [], $left);
        $this->check('one that cannot be started is named, with the time until the next try', Server::until(10.0, fn (): bool => preg_match('/Background command "broken" has ended with status 127 \(there is no such program.*it starts again in \d/', $app->output()) === 1), $app->output());
        posix_kill((int) self::lines('started')[0], SIGKILL);
        $this->check('one that was killed is started again', Server::until(10.0, fn (): bool => count(self::lines('started')) === 2));
        $this->check('the signal is told', str_contains($app->output(), 'Background command "queue" was ended by signal 9 after'), $app->output());
        Application::run(['reload', $app->folder]);
        $this->check('a reload ends and starts it', Server::until(20.0, fn (): bool => count(self::lines('started')) === 3) && self::lines('ended') === [strtok(self::lines('started')[1], ' ')], implode('|', self::lines('ended')));
        $starter = (int) exec('ps -o ppid= -p ' . (int) self::lines('started')[2]);
        posix_kill($starter, SIGKILL);
        $this->check('one whose starter was killed is ended before it is started again', Server::until(20.0, fn (): bool => count(self::lines('started')) === 4)
            && self::lines('ended') === [strtok(self::lines('started')[1], ' '), strtok(self::lines('started')[2], ' ')], implode('|', self::lines('ended')));
        $isAlive = static fn (string $pid): bool => preg_match('/^State:\s+[^ZX]/m', (string) @file_get_contents("/proc/{$pid}/status")) === 1; // nobody may have asked for its exit code yet
        $children = count(self::lines('children'));
        posix_kill((int) array_reverse(self::lines('parents'))[0], SIGKILL);
        $this->check('what one has started ends before it is started again', Server::until(20.0, fn (): bool => count(self::lines('children')) > $children) && count(array_filter(self::lines('children'), $isAlive)) === 1);
        $this->check('one that heeds no signal goes on', posix_kill((int) self::lines('stubborn')[0], 0));
        exec("pgrep -P {$app->pid()}", $processes);
        array_map(static fn (string $pid): bool => posix_kill((int) $pid, SIGINT), [...$processes, (string) $app->pid()]); // as Ctrl-C in a terminal
        $this->check('Ctrl-C ends the server', Server::until(20.0, static fn (): bool => !$app->alive()), $app->output());
        $this->check('and the server what starts commands', !str_contains($app->output(), 'ended by signal 2'), $app->output());
        $app->stop();
        $this->same('it is killed before the server is gone', [], array_values(array_filter(self::lines('stubborn'), $isAlive)));
        $this->same('so is what a command has started', [], array_values(array_filter(self::lines('children'), $isAlive)));
        $this->same('a stop ends it', array_map(static fn (int $i): string => (string) strtok(self::lines('started')[$i], ' '), [1, 2, 3]), self::lines('ended'));
        $this->same('nothing of it is left', [false, false], array_map(static fn (int $i): bool => posix_kill((int) self::lines('started')[$i], 0), [2, 3]));
    }

    public function testMistakes(): void
    {
        $app = self::$app;
        $app->stop();
        foreach ([
            'a background entry that is no command' => ["'background' => ['queue' => 'php queue.php']", '"queue" must be a list of words'],
            'background that is no array' => ["'background' => '[1'", 'must be a JSON object of commands'],
            'endpoints that are not there' => ["'endpoints' => 'nowhere.php'", 'nowhere.php does not exist'],
            'a wrong kind of endpoint' => ["'endpoints' => 'wrong.php'", 'unknown key "websockets" (did you mean "websocket"?)'],
        ] as $name => [$option, $sentence]) {
            file_put_contents("{$app->folder}/stampede.php", "<?php return ['workers' => 1, {$option}];");
            file_put_contents("{$app->folder}/wrong.php", "<?php return ['websockets' => []];");
            $this->check("{$name} gives a sentence", !$app->serve() && str_contains($app->output(), $sentence), $app->output());
            $app->stop();
        }
        unset($app);
    }

    private static function lines(string $name): array
    {
        $notes = self::$notes;
        return @file("{$notes}/{$name}", FILE_IGNORE_NEW_LINES) ?: [];
    }
}
