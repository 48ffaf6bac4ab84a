<?php

declare(strict_types=1);

/* Servers with the settings, event names and calls that published frameworks begin with. */

namespace Stampede\Tests\E2e;

/** @return mixed what a path gives as JSON */
function json(Server $server, string $path): mixed
{
    return json_decode(ask($server, $path)[1], true);
}

final class framework_defaults_test extends EndToEndTest
{
    private static Server $server;

    public static function setUpBeforeClass(): void
    {
        // Blocking code, numbers as strings, a table that is a sub-class, tasks from a timer of the first process.
        self::$server = new Server('framework_defaults', ['_style' => 'kept']);
    }

    public function testSettingsAndNames(): void
    {
        $server = self::$server;
        $this->same('a request', [200, ''], ask($server, '/'));
        $this->same('a sub-class of Table with own checks', [['k1' => 'one', 'k2' => 'two'], ['k1=10', 'k2=20'], 'value holds 20 bytes', 'one', true, true, false], json($server, '/table'));
        $this->same('taskWaitMulti() and taskwait() without coroutines', [['cba', 'fed'], 'ihg'], json($server, '/tasks'));
        $state = [];
        $this->check('a timer of the first process gives tasks', Server::until(10, static function () use ($server, &$state): bool {
            $state = json($server, '/state');
            return $state['ticks'] > 3 && $state['ticked'] > 3;
        }), json_encode($state));
        $this->same('settings are as they were given', ['2', '2', '2', '500'], array_map(strval(...), $state['setting']));
        $this->same('no coroutine, no administration', [-1, false], [$state['cid'], $state['admin']]);
        $this->check('the processes told who they are', Server::until(10, static function () use ($server, &$state): bool {
            $state = json($server, '/state');
            return array_diff(['master', 'manager', 'managerstart', 'worker0', 'worker1', 'task2', 'task3'], array_keys($state['pids'])) === [];
        }) && $state['pids']['master']['pid'] === $server->pid() && $state['manager'] === $state['pids']['managerstart']['pid'], json_encode($state));
        $this->same('probes', [true, true, true, true, true, true, false], $state['probes']);
        $this->same('nothing is complained of', '', $server->output());
        $this->same('it ends well', 0, $server->stop());
        unset($server);
    }

    public function testEventsAndOtherNames(): void
    {
        // Event names in small letters, titles of processes, finish().
        $server = new Server('framework_defaults', ['_style' => 'events']);
        [$status, $body] = ask($server, '/task');
        $this->same('status and cookie by their other names', 201, $status);
        $this->same('pids and the own connection', [[true, true, true], '127.0.0.1'], [json_decode($body, true)['pids'], json_decode($body, true)['own']]);
        $events = [];
        $this->check('all events have come', Server::until(10, static function () use ($server, &$events): bool {
            $events = json($server, '/')['events'];
            return isset($events['start'], $events['managerstart'], $events['finish done']) && $events['workerstart'] === 3;
        }), json_encode($events));
        $titles = array_map(static fn (int $pid): string => trim(str_replace("\0", ' ', (string) @file_get_contents("/proc/$pid/cmdline"))), children($server->pid()));
        $this->same('titles of the workers', ['defaults workerstart'], array_values(array_unique($titles)));
        ask($server, '/reload');
        $this->check('events of a reload', Server::until(15, static function () use ($server, &$events): bool {
            $events = json($server, '/')['events'];
            return isset($events['beforereload'], $events['afterreload']) && ($events['workerstop'] ?? 0) === 3 && $events['workerstart'] === 6;
        }), json_encode($events));
        $pidFile = sys_get_temp_dir() . "/stampede-defaults-{$server->port}.pid";
        $this->same('the pid file', (string) $server->pid(), (string) @file_get_contents($pidFile));
        $this->same('it ends well', 0, $server->stop());
        $this->check('the pid file is gone', !file_exists($pidFile));
        unset($server);
    }

    public function testPortsAndStreams(): void
    {
        // WebSocket, HTTP on another port, objects as tasks, watches on streams.
        $server = new Server('framework_defaults', ['_style' => 'websocket']);
        $body = json($server, '/');
        $this->same('a stream that is watched in a request', ['by event', true, 2], [$body[0] ?? null, $body[2] ?? null, $body[3] ?? null]);
        $other = new Peer("tcp://127.0.0.1:{$body[1]}");
        $other->send(["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $this->check('the port for HTTP', str_ends_with($other->readToEnd(), "\r\n\r\nport"), $other->received());
        $peer = new WebSocketPeer($server);
        $this->same('what open() pushes', 'opened', $peer->text());
        $responses = [];
        foreach (['port', 'connections', 'established', 'info', 'a job'] as $message) {
            $peer->send($message);
            $responses[] = json_decode((string) $peer->text(), true);
        }
        $this->same('messages and a task that is an object', [$body[1], true, true, 3, ['name' => 'a job', 'seen' => ['worker']]], [$responses[0], $responses[1] >= 1, ...array_slice($responses, 2)]);
        $this->same('it ends well', 0, $server->stop());
    }
}
