<?php

declare(strict_types=1);

/*
 * Start, reload, recycling and stop, in both server modes: no request is lost, every event comes in its process and order.
 */

namespace Stampede\Tests\E2e;

final class lifecycle_test extends EndToEndTest
{
    private static mixed $events;

    public static function setUpBeforeClass(): void
    {
        self::$events = tempnam(sys_get_temp_dir(), 'events');
    }

    public function testEvents(): void
    {
        $events = self::$events;
        foreach (['BASE' => 1, 'PROCESS' => 2] as $name => $mode) {
            // The events and their processes.
            file_put_contents($events, '');
            $pidFile = sys_get_temp_dir() . '/stampede-e2e-' . getmypid() . '.pid';
            $server = new Server('lifecycle', ['_mode' => $mode, '_events' => $events, 'worker_num' => 2, 'pid_file' => $pidFile]);
            $master = $server->pid();
            $this->same("$name: the answer", [200, 'hello'], ask($server, '/'));
            $this->check("$name: a supervisor and its two workers", count(workers($server, 2)) === 2);
            $this->same("$name: the pid file names the supervisor", (string) $master, (string) @file_get_contents($pidFile));
            Server::until(5, static fn (): bool => count(events($events)) >= 4);
            $seen = events($events);
            sort($seen);
            $started = preg_replace('/ \d+$/', '', preg_grep('/workerStart/', $seen));
            $wanted = array_map(static fn (int $pid): string => "$pid workerStart", children($master));
            $this->check("$name: start and managerStart in the supervisor, workerStart in each worker", in_array("$master start", $seen, true)
                && in_array("$master managerStart", $seen, true) && array_diff($wanted, $started) === [] && count($started) === 2, implode("\n", $seen));
            $old = children($master);
            $this->same("$name: a worker can ask for a reload", [200, 'true'], ask($server, '/reload'));
            $this->check("$name: all workers are new", Server::until(10, static fn (): bool => count(children($master)) === 2 && array_intersect($old, children($master)) === []));
            $this->check("$name: the events of the reload", Server::until(5, static fn (): bool => in_array("$master afterReload", events($events), true))
                && array_search("$master beforeReload", events($events), true) < array_search("$master afterReload", events($events), true), implode("\n", events($events)));
            $this->same("$name: shutdown() from a worker", [200, 'true'], ask($server, '/shutdown'));
            $this->check("$name: the server ends", Server::until(6, static fn (): bool => !$server->alive()));
            $this->same("$name: with status 0", 0, $server->stop());
            $last = array_slice(events($events), -2);
            $this->same("$name: managerStop and shutdown are the last events", ["$master managerStop", "$master shutdown"], $last);
            $this->check("$name: workerStop came in both workers", count(preg_grep('/workerStop/', events($events))) >= 4, implode("\n", events($events)));
            $this->check("$name: start() returned in the supervisor alone", substr_count($server->output(), 'start returned') === 1, $server->output());
            $this->check("$name: the pid file is gone", !file_exists($pidFile));
            unset($server);

            // Reloads under load.
            $server = new Server('lifecycle', ['_mode' => $mode, 'worker_num' => 2]);
            ask($server, '/');  // its ports are open before it knows what signals mean
            $load = new Load($server->address(), 20);
            $reloads = 0;
            $next = microtime(true) + 0.2;
            $load->runUntil(static function () use ($server, &$reloads, &$next): bool {
                if (microtime(true) > $next && $reloads < 20) {
                    posix_kill($server->pid(), SIGUSR1);
                    $reloads++;
                    $next = microtime(true) + 0.25;
                }
                return $reloads === 20 && microtime(true) > $next;
            });
            $this->check("$name: 20 reloads under load fail no request", $load->failures() === 0 && $load->sent === $load->answered && $load->answered > 500, $load->summary());
            $this->check("$name: two workers are left", Server::until(8, static fn (): bool => count(children($server->pid())) === 2), implode(' ', children($server->pid())));
            $slow = new Load($server->address(), 10, '/sleep?t=1');
            $reloaded = false;
            $slow->runUntil(static function (Load $load) use ($server, &$reloaded): bool {
                if ($load->sent === 10 && !$reloaded) {
                    $reloaded = posix_kill($server->pid(), SIGUSR1);
                }
                return $load->answered >= 10;
            });
            $this->check("$name: requests in flight end in the old worker", $slow->failures() === 0, $slow->summary());

            // Stop under load.
            $slow = new Load($server->address(), 30, '/sleep?t=0.7');
            $pid = $server->pid();
            $stopped = 0.0;
            $slow->runUntil(static function (Load $load) use ($server, $pid, &$stopped): bool {
                if ($load->sent === 30 && $stopped === 0.0) {
                    Server::until(5, static fn (): bool => inFlight($server) >= 30);
                    posix_kill($pid, SIGTERM);
                    $stopped = microtime(true);
                }
                return $stopped > 0;
            });
            $this->check("$name: SIGTERM lets what is in flight end", $slow->cut === 0 && $slow->answered === 30, $slow->summary());
            $this->check("$name: and ends the server within 5 s", Server::until(5, static fn (): bool => !$server->alive()));
            $this->same("$name: with status 0 again", 0, $server->stop());
            unset($server);

            // Recycling.
            $server = new Server('lifecycle', ['_mode' => $mode, 'worker_num' => 2, 'max_request' => 100]);
            $load = (new Load($server->address(), 20))->runFor(3.0);
            $this->check("$name: recycling every 100 requests fails none", $load->failures() === 0 && $load->answered > 1000, $load->summary());
            $pids = [];
            $this->check("$name: and workers were really replaced", Server::until(5, static function () use ($server, &$pids): bool {
                $pids[ask($server, '/pid')[1]] = true;
                return count($pids) > 2;
            }));
            $this->same("$name: a recycling server ends well", 0, $server->stop());
            unset($server);
        }
    }

    public function testSignals(): void
    {
        // SIGINT at once, a second SIGTERM at once.
        $server = new Server('lifecycle', ['worker_num' => 2, 'max_wait_time' => 30]);
        $peer = new Peer($server->address());
        $peer->send(["GET /sleep?t=20 HTTP/1.1\r\nHost: a\r\n\r\n"]);
        Server::until(2, static fn (): bool => str_contains(ask($server, '/stats')[1], '"concurrency":2'));
        posix_kill($server->pid(), SIGTERM);
        $this->check('SIGTERM waits for a request', !Server::until(1, static fn (): bool => !$server->alive()));
        posix_kill($server->pid(), SIGTERM);
        $this->check('a second SIGTERM does not', Server::until(2, static fn (): bool => !$server->alive()));
        unset($server);
        $server = new Server('lifecycle', ['worker_num' => 2]);
        ask($server, '/');
        $peer = new Peer($server->address());
        $peer->send(["GET /sleep?t=20 HTTP/1.1\r\nHost: a\r\n\r\n"]);
        posix_kill($server->pid(), SIGINT);
        $this->check('SIGINT stops at once', Server::until(1.5, static fn (): bool => !$server->alive()));
        unset($server);
    }

    public function testPauses(): void
    {
        // The whole family sleeps and wakes.
        $server = new Server('lifecycle', ['worker_num' => 2]);
        $state = static fn (int $pid): string => preg_match('/^State:\s+(\w)/m', (string) @file_get_contents("/proc/$pid/status"), $match) ? $match[1] : '-';
        $family = [$server->pid(), ...workers($server, 2)];
        posix_kill($server->pid(), SIGTSTP);
        $this->check('SIGTSTP stops all processes', Server::until(3, static fn (): bool => array_unique(array_map($state, $family)) === ['T']), implode(' ', array_map($state, $family)));
        posix_kill($server->pid(), SIGCONT);
        $this->check('SIGCONT continues them', Server::until(3, static fn (): bool => !in_array('T', array_map($state, $family), true)));
        $this->same('and they serve', [200, 'hello'], ask($server, '/'));
        unset($server);
    }

    public function testTheLogFile(): void
    {
        $events = self::$events;
        // Daemonize, log file, rotation by signal.
        $log = tempnam(sys_get_temp_dir(), 'log');
        $pidFile = "$log.pid";
        $server = new Server('lifecycle', ['worker_num' => 1, 'log_file' => $log, 'max_wait_time' => 1]);
        ask($server, '/throw');
        $this->check('the log file has the fault, without its control characters', Server::until(3, static fn (): bool => str_contains((string) file_get_contents($log), 'a fault'))
            && !str_contains((string) file_get_contents($log), "\x1b") && !str_contains((string) file_get_contents($log), "\r"), (string) file_get_contents($log));
        rename($log, "$log.1");
        posix_kill($server->pid(), SIGRTMIN);
        $this->check('SIGRTMIN opens it again', Server::until(3, static fn (): bool => file_exists($log)));
        Server::until(3, static function () use ($server, $log): bool {
            ask($server, '/throw');
            return str_contains((string) @file_get_contents($log), 'a fault');
        });
        $this->check('and the workers write to the new one', str_contains((string) @file_get_contents($log), 'a fault'));
        unset($server);
        array_map(unlink(...), array_filter([$log, "$log.1", $events], file_exists(...)));
    }
}
