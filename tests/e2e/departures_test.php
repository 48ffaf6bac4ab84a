<?php

declare(strict_types=1);

/*
 * What a process that is replaced, stopped or killed is owed, and what its place: timers and watches of the application happen, the
 * results of tasks come to their functions, and a place whose process had served is filled at once, however often that happens.
 */

namespace Stampede\Tests\E2e;

final class departures_test extends EndToEndTest
{
    private string $events;

    protected function setUp(): void
    {
        parent::setUp();
        $this->events = (string) tempnam(sys_get_temp_dir(), 'events');
    }

    protected function tearDown(): void
    {
        parent::tearDown();
        unlink($this->events);
    }

    /** @param array<string, mixed> $settings */
    private function server(array $settings): Server
    {
        $server = new Server('departures', $settings + ['_events' => $this->events, 'max_wait_time' => 8, 'log_level' => 4]);
        $processes = $settings['worker_num'] + ($settings['task_worker_num'] ?? 0);
        Server::until(5, fn (): bool => $this->number('start') === $processes);
        return $server;
    }

    private function number(string $event): int
    {
        return count(preg_grep("~^$event~", events($this->events)) ?: []);
    }

    private function comes(string $event, int $count): bool
    {
        return Server::until(8, fn (): bool => $this->number($event) >= $count);
    }

    public function testRequestsThatCrashPhp(): void
    {
        $server = $this->server(['worker_num' => 2]);
        $good = 0;
        $began = microtime(true);
        for ($i = 0; $i < 40; $i++) {
            ask($server, '/crash');
            $good += ask($server, '/')[0] === 200 ? 1 : 0;
        }
        $this->same('40 crashes of workers: the requests between them are answered', 40, $good);
        // With a pause after the second early death of a place the sum would be minutes.
        $this->check('no place is left empty', microtime(true) - $began < 20, sprintf('%.1f s', microtime(true) - $began));
    }

    public function testTasksThatCrashPhp(): void
    {
        $server = $this->server(['worker_num' => 1, 'task_worker_num' => 1]);
        $good = 0;
        $began = microtime(true);
        for ($i = 0; $i < 15; $i++) {
            ask($server, '/task?data=crash');
            $good += ask($server, '/task-wait?ms=1')[1] === "'result 1'" ? 1 : 0;
        }
        $this->same('15 crashes of a task worker: the tasks between them are done', 15, $good);
        $this->check('none waits for its task worker', microtime(true) - $began < 10, sprintf('%.1f s', microtime(true) - $began));
    }

    public function testTimersAndWatches(): void
    {
        $ways = [
            'reload' => static fn (Server $server) => posix_kill($server->pid(), SIGUSR1),
            'stop of the server' => static fn (Server $server) => posix_kill($server->pid(), SIGTERM),
            'max_request' => static fn (Server $server) => ask($server, '/'),
        ];
        foreach ($ways as $name => $depart) {
            file_put_contents($this->events, '');
            $server = $this->server(['worker_num' => 1, 'max_request' => $name === 'max_request' ? 4 : 0, 'max_request_grace' => 0]);
            ask($server, '/timer?ms=700');
            ask($server, '/watch?ms=700');
            ask($server, '/tick');
            $depart($server);
            $this->check("$name: the timer of a worker that leaves happens", $this->comes('timer', 1), implode(', ', events($this->events)));
            $this->check("$name: and the watch", $this->comes('watch', 1));
            $this->check("$name: workerExit is told before that", preg_match('~exit.*timer~s', implode(' ', events($this->events))) === 1, implode(', ', events($this->events)));
            $this->check("$name: workerStop follows", $this->comes('stop', 1) && preg_match('~timer.*stop~s', implode(' ', events($this->events))) === 1, implode(', ', events($this->events)));
            $server->stop();
        }
    }

    public function testATickKeepsNoProcess(): void
    {
        $server = $this->server(['worker_num' => 1]);
        ask($server, '/tick');
        $began = microtime(true);
        posix_kill($server->pid(), SIGUSR1);
        $this->check('the worker ends', $this->comes('stop', 1));
        $this->check('without waiting for max_wait_time', microtime(true) - $began < 6);
        $this->check('and was told workerExit', $this->number('exit') >= 1, implode(', ', events($this->events)));
    }

    public function testResultsOfTasks(): void
    {
        foreach (['/task' => 'finish', '/task-callback' => 'callback'] as $path => $event) {
            file_put_contents($this->events, '');
            $server = $this->server(['worker_num' => 1, 'task_worker_num' => 2, 'task_enable_coroutine' => false]);
            for ($i = 0; $i < 4; $i++) {
                ask($server, "$path?ms=300");
            }
            posix_kill($server->pid(), SIGUSR1);
            $this->check("a reload loses no $event of a task", $this->comes($event, 4), implode(', ', events($this->events)));
            $server->stop();
        }
        file_put_contents($this->events, '');
        $server = $this->server(['worker_num' => 1, 'task_worker_num' => 1]);
        $worker = (int) ask($server, '/task?ms=300')[1];
        posix_kill($worker, SIGKILL);
        $this->check('the successor of a killed worker runs finish', $this->comes('finish', 1), implode(', ', events($this->events)));
    }

    public function testMessagesCountForMaxRequest(): void
    {
        $server = $this->server(['worker_num' => 1, 'max_request' => 5, 'max_request_grace' => 0]);
        $peer = new WebSocketPeer($server);
        for ($i = 0; $i < 6; $i++) {
            $peer->send("message $i");
            $peer->text();
        }
        $this->check('a worker is replaced after as many messages as max_request says', $this->comes('start', 2), implode(', ', events($this->events)));
    }
}
