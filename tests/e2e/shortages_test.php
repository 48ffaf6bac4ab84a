<?php

declare(strict_types=1);

/* The machine runs short while a server works: of memory, of processes, of processors. One request fails, the server goes on. */

namespace Stampede\Tests\E2e;

final class shortages_test extends EndToEndTest
{
    public function testLittleAddressSpace(): void
    {
        // Address space runs out in one worker: the request fails, its neighbours are served, the worker is replaced when it is unsafe.
        $server = new Server('lifecycle', ['worker_num' => 2, 'hook_flags' => (1 << 31) - 1]);
        [$victim, $other] = workers($server, 2);
        foreach ([$victim, $other] as $pid) {
            $used = (int) preg_replace('~^.*VmSize:\s+(\d+) kB.*$~s', '$1', (string) file_get_contents("/proc/$pid/status")) * 1024;
            exec("prlimit --pid $pid --as=" . ($used + (48 << 20)), $output, $status);
            $this->same("a worker's address space is limited", 0, $status);
        }
        $this->same('no memory to be had: that request fails', 500, ask($server, '/eat?mb=200')[0]);
        $this->check('the log says why', self::logged($server, 'Out of memory') || self::logged($server, 'cannot allocate'), $server->output());
        $load = (new Load($server->address(), 10))->runFor(1.0);
        $this->check('others are served', $load->failures() === 0 && array_keys($load->statuses) === [200], $load->summary());
        [$status, $body] = ask($server, '/many', 20);
        $this->check('coroutines above what there is room for: the creator is told, or its request fails', $status === 500 || ($status === 200 && array_sum(json_decode($body, true)) === 100000), "$status $body");
        $this->check('and the server goes on', Server::until(5, static fn (): bool => ask($server, '/')[0] === 200));
        $this->same('it ends well', 0, $server->stop());
    }

    public function testNoMemoryOfTheMachine(): void
    {
        // The kernel ends a worker for its memory, not the supervisor.
        $group = ControlGroup::of('memory');
        if ($group === null) {
            $this->remark('this machine has no control group for memory to give: what the kernel chooses is checked by its scores alone');
        }
        $server = new Server('lifecycle', ['worker_num' => 2]);
        $victims = workers($server, 2);
        foreach ($victims as $pid) {
            $score = min(self::scoreOf($server->pid()) + 100, 1000);
            $this->check('a worker is what the kernel ends first', Server::until(5, static fn (): bool => self::scoreOf($pid) === $score), (string) self::scoreOf($pid));
        }
        if ($group !== null) {
            $group->limitMemory(400 << 20);
            $group->add($server->pid(), ...$victims);
            $supervisor = $server->pid();
            $this->same('a request that takes more than the machine has is cut off', 0, ask($server, '/eat?mb=900')[0]);
            $this->check('its worker is named in the log', self::logged($server, 'was ended by signal 9'), $server->output());
            $this->check('and replaced', Server::until(5, static fn (): bool => count(children($supervisor)) === 2 && array_diff($victims, children($supervisor)) !== []));
            $load = (new Load($server->address(), 10))->runFor(1.0);
            $this->check('the server goes on', $server->alive() && $load->failures() === 0 && $load->answered > 20, $load->summary());
            $this->check('the next worker may be ended in its place', self::scoreOf(max(children($supervisor))) > self::scoreOf($supervisor) || self::scoreOf($supervisor) === 1000);
        }
        $this->same('it ends well', 0, $server->stop());
        unset($group);
    }

    public function testNoProcesses(): void
    {
        // No process can be forked any more.
        $group = ControlGroup::of('pids');
        if ($group === null) {
            $this->remark('this machine has no control group for processes to give: a fork that fails at run time is not checked');
        } else {
            $server = new Server('lifecycle', ['worker_num' => 2]);
            [$victim] = workers($server, 2);
            $group->add($server->pid(), ...children($server->pid()));
            $group->limitProcesses(1);
            posix_kill($victim, SIGKILL);
            $this->check('a worker that cannot be forked is told', self::logged($server, 'cannot start worker') && self::logged($server, 'next try in'), $server->output());
            $load = (new Load($server->address(), 10))->runFor(2.0);
            $this->check('the other one serves', $load->failures() === 0 && $load->answered > 20, $load->summary());
            $this->same('files, too, when no thread can be made', 200, ask($server, '/file')[0]);
            $tries = substr_count($server->output(), 'cannot start worker');
            $this->check('tries are not a storm', $tries >= 1 && $tries <= 4, (string) $tries);
            $group->limitProcesses('max');
            $this->check('and there are two again when there is room', Server::until(35, static fn (): bool => count(children($server->pid())) === 2), $server->output());
            $load = (new Load($server->address(), 10))->runFor(0.5);
            $this->check('which serve', $load->failures() === 0 && $load->answered > 20, $load->summary());
            $this->same('it ends well', 0, $server->stop());
        }
    }

    public function testBusyProcessors(): void
    {
        // Every processor is busy with something else: everything takes longer, nothing is ended for it.
        $processors = max(1, (int) shell_exec('nproc'));
        $others = array_map(static fn (): mixed => proc_open(['sh', '-c', 'while :; do :; done'], [], $pipes), range(1, 4 * $processors));
        $server = new Server('lifecycle', ['worker_num' => 2, 'watchdog_timeout' => 2]);
        $peer = new Peer($server->address());
        $peer->send(["GET /compute?s=0.8 HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $load = (new Load($server->address(), 20))->runFor(3.0);
        $this->check('busy processors: all are answered', $load->failures() === 0 && array_keys($load->statuses) === [200] && $load->answered > 20, $load->summary());
        $this->check('a request that computes within the limit is not ended', str_contains($peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'computed'), 40.0), 'computed'), $server->output());
        $this->check('and the watchdog has nothing to say', !str_contains($server->output(), 'watchdog'), $server->output());
        foreach ($others as $process) {
            proc_terminate($process, SIGKILL);
            proc_close($process);
        }
        $this->same('it ends well', 0, $server->stop());
    }

    private static function scoreOf(int $pid): int
    {
        return (int) file_get_contents("/proc/$pid/oom_score_adj");
    }

    private static function logged(Server $server, string $text): bool
    {
        return Server::until(5, static fn (): bool => str_contains($server->output(), $text));
    }
}
