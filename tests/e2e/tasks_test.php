<?php

declare(strict_types=1);

/*
 * Tasks, messages and user processes: none that waits is lost whatever becomes of the processes, and frameworks' ways to use them work.
 */

namespace Stampede\Tests\E2e;

final class tasks_test extends EndToEndTest
{
    public function testKilledProcesses(): void
    {
        // Load while task workers are killed, stopped and replaced.
        foreach ([false, true] as $reloading) {
            $what = $reloading ? 'reloads' : 'kills';
            $server = new Server('tasks', ['_pattern' => 'load', 'worker_num' => 2, 'task_worker_num' => 3, 'max_wait_time' => 20]);
            $load = new Load($server->address(), 40, '/work');
            $kills = 0;
            $stopped = 0;
            $reloads = 0;
            $next = microtime(true) + 0.5;
            $victim = 2;
            $load->runUntil(static function () use ($server, $reloading, &$kills, &$stopped, &$reloads, &$next, &$victim): bool {
                if (microtime(true) < $next) {
                    return $kills + $reloads >= 12 && $stopped === 0;
                }
                $next = microtime(true) + 0.5;
                if ($stopped > 0) {
                    posix_kill($stopped, SIGCONT);
                    $stopped = 0;
                }
                if ($kills + $reloads >= 12) {
                    return true;
                }
                if ($reloading) {
                    posix_kill($server->pid(), $reloads % 2 === 0 ? SIGUSR2 : SIGUSR1);
                    $reloads++;
                    return false;
                }
                $victim = $victim === 4 ? 2 : $victim + 1;
                $known = self::pids($server);
                if (is_int($known[$victim] ?? null) && posix_kill($known[$victim], SIGKILL)) {
                    $kills++;
                }
                $other = $victim === 4 ? 2 : $victim + 1;
                if ($kills % 3 === 0 && is_int($known[$other] ?? null) && posix_kill($known[$other], SIGSTOP)) {
                    $stopped = $known[$other];
                }
                return false;
            }, 60);
            $this->check("$what: every request is answered", $load->failures() === 0 && $load->answered === $load->sent && $load->answered > 500, $load->summary());
            $this->check("$what: nothing is left in progress", Server::until(20, static fn (): bool => self::counters($server)['tasking_num'] === 0), json_encode(self::counters($server)));
            $numbers = self::counters($server);
            $seen = "$kills kills, $reloads reloads, " . json_encode($numbers);
            $this->check("$what: whoever waits is told", $numbers['ok'] + $numbers['failed'] === $numbers['waited'] && $numbers['late'] === 0 && $numbers['waited'] === $load->answered, $seen);
            // A task worker has one task in progress: a kill takes no more than that one with it.
            $this->check("$what: no more tasks fail than processes were killed", $numbers['failed'] <= $kills, $seen);
            $this->check("$what: no task that waited is lost", $numbers['refused'] === 0 && $numbers['given'] - $numbers['begun'] <= $kills && $numbers['begun'] <= $numbers['given'], $seen);
            if ($reloading) {
                $this->same("$what: all are finished in their worker, or the worker is gone", true, $numbers['finished'] <= $numbers['given']);
                $this->check("$what: task workers were replaced", $numbers['starts'] >= 5 + 3 * $reloads / 2, $seen);
            } else {
                $this->same("$what: every task that was begun and not killed is finished", true, $numbers['finished'] >= $numbers['given'] - $kills);
                $this->check("$what: the log names what was lost", substr_count($server->output(), 'was ended by signal 9') === $kills, $server->output());
            }
            $this->same("$what: the server ends well", 0, $server->stop());
            unset($server);
        }
    }

    public function testOctane(): void
    {
        // Laravel Octane: ticks from the supervisor, lists of tasks without coroutines.
        $server = new Server('tasks', ['_pattern' => 'octane', 'worker_num' => 2, 'task_worker_num' => 2, 'enable_coroutine' => false]);
        $this->same('Octane: concurrent tasks and their errors', [200, '[3,"as meant",7,false]'], ask($server, '/'));
        $this->check('Octane: ticks arrive', Server::until(10, static fn (): bool => self::counters($server)['ticks'] >= 10), json_encode(self::counters($server)));
        posix_kill($server->pid(), SIGUSR1);
        $before = self::counters($server)['ticks'];
        $this->check('Octane: and go on over a reload', Server::until(10, static fn (): bool => self::counters($server)['starts'] === 8 && self::counters($server)['ticks'] >= $before + 10), json_encode(self::counters($server)));
        $this->same('Octane: the server ends in spite of its tick', 0, $server->stop());
        unset($server);
    }

    public function testEasySwoole(): void
    {
        // EasySwoole: processes with unix sockets of their own.
        $folder = sys_get_temp_dir() . '/stampede-e2e-tasks-' . getmypid();
        mkdir($folder);
        $server = new Server('tasks', ['_pattern' => 'bridge', '_folder' => $folder, 'worker_num' => 2, 'task_worker_num' => 1]);
        $this->check('EasySwoole: both processes run', Server::until(10, static fn (): bool => self::counters($server)['begun'] === 2), $server->output());
        $who = [json_decode(ask($server, '/0/who')[1], true), json_decode(ask($server, '/1/who')[1], true)];
        $this->same('EasySwoole: their numbers come after the task workers\'', [3, 4], array_column($who, 'id'));
        $this->same('EasySwoole: getWorkerPid() knows them', array_column($who, 'pid'), array_slice(self::pids($server), 3));
        $this->same('EasySwoole: a task from a process', [200, 'true'], ask($server, '/0/task'));
        $this->check('EasySwoole: is done', Server::until(10, static fn (): bool => self::counters($server)['ticks'] === 1), json_encode(self::counters($server)));
        $this->same('EasySwoole: the numbers of the server', [200, '2'], ask($server, '/1/stats'));
        posix_kill($who[0]['pid'], SIGKILL);
        $this->check('EasySwoole: a killed process is replaced', Server::until(10, static fn (): bool => self::counters($server)['begun'] === 3), $server->output());
        $this->same('EasySwoole: under the same number', 3, json_decode(ask($server, '/0/who')[1], true)['id'] ?? null);
        $this->same('EasySwoole: they hear that the server ends', [0, []], [$server->stop(), glob("$folder/*")]);
        unset($server);
        rmdir($folder);
    }

    public function testHyperf(): void
    {
        // Hyperf: a process that reads its pipe, and one that sends messages to workers.
        $server = new Server('tasks', ['_pattern' => 'hyperf', 'worker_num' => 2]);
        $this->check('Hyperf: messages arrive in the workers', Server::until(10, static fn (): bool => self::counters($server)['cron'] >= 20), json_encode(self::counters($server)));
        $sent = 0;
        for ($i = 0; $i < 50; $i++) {
            $sent += ask($server, '/queue')[1] === 'true' ? 1 : 0;
        }
        $this->check('Hyperf: what workers write is read by the process', $sent === 50 && Server::until(10, static fn (): bool => self::counters($server)['begun'] === 50), json_encode(self::counters($server)));
        $old = array_slice(self::pids($server), 0, 2);
        posix_kill($server->pid(), SIGUSR1);
        $this->check('Hyperf: a reload leaves the processes alone', Server::until(10, static fn (): bool => array_intersect($old, self::pids($server)) === []), json_encode(self::pids($server)));
        $before = self::counters($server)['cron'];
        $this->check('Hyperf: and messages go on', Server::until(10, static fn (): bool => self::counters($server)['cron'] >= $before + 20), json_encode(self::counters($server)));
        $this->same('Hyperf: the server ends well', 0, $server->stop());
        unset($server);
    }

    public function testImi(): void
    {
        // imi: events of the first port, objects in coroutines.
        $server = new Server('tasks', ['_pattern' => 'imi', 'worker_num' => 1, 'task_worker_num' => 2, 'task_enable_coroutine' => true]);
        $this->same('imi: tasks with objects', [200, '[42,[2,4]]'], ask($server, '/'));
        $this->same('imi: the server ends well', 0, $server->stop());
    }

    private static function counters(Server $server): array
    {
        return (array) json_decode(ask($server, '/counters')[1], true);
    }

    private static function pids(Server $server): array
    {
        return (array) json_decode(ask($server, '/pids')[1], true);
    }
}
