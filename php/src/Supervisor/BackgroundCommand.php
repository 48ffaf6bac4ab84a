<?php

declare(strict_types=1);

namespace Stampede\Supervisor;

use Stampede\Log\Logger;
use Stampede\Metrics\Inheritance;
use Stampede\Php\PhpSettings;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\System;
use Swoole\Http\Server;
use Swoole\Process;
use Swoole\Timer;

/**
 * The user process that keeps a background command running as long as the workers: it starts the command again when it ends, later and later when it ends at
 * once, or every so many seconds; one that takes longer than it may is ended. A reload of the server ends and starts it, so that it runs the code as it is then.
 */
final class BackgroundCommand
{
    private const STEADY = 10.0; // seconds: a command that ran longer has not failed to start
    private const FIRST_PAUSE = 0.5;
    private const MOST_PAUSE = 60.0;
    private const PATIENCE = 10.0; // seconds from SIGTERM to SIGKILL with a reload
    private const HURRY = 0.25; // seconds, as PATIENCE, when the server gives its processes half a second
    private const MARGIN = 0.5; // seconds before the server kills the process that starts the command, which would leave that alone

    private readonly Process $process;
    private readonly CommandGroup $group;
    private CommandEnd $end = CommandEnd::None;
    private float $patienceAtStop = self::PATIENCE;
    private Channel $wake;

    public function __construct(private readonly CommandDefinition $command, private readonly string $directory, private readonly Logger $logger)
    {
        $this->group = new CommandGroup(new CommandProcess());
        $this->process = new Process(fn () => $this->run(), false, 0, true);
    }

    /** @param float $waits seconds that the server waits for its processes when it stops */
    public function addTo(Server $server, float $waits): void
    {
        $this->patienceAtStop = max(self::MARGIN, $waits - self::MARGIN);
        $server->addProcess($this->process);
    }

    /** In the first process of the server. */
    public function reload(): void
    {
        posix_kill($this->process->pid, SIGUSR1);
    }

    /** The life of the process. */
    private function run(): void
    {
        cli_set_process_title("stampede: background {$this->command->name}");
        $this->wake = new Channel(1);
        $this->listenToSignals();
        chdir($this->directory);
        $this->endFormer();
        for ($pause = self::FIRST_PAUSE; !$this->isStopping();) {
            $this->end = CommandEnd::None;
            $began = microtime(true);
            $status = $this->runOnce();
            $lasted = microtime(true) - $began;
            if ($this->end->isAskedFor()) {
                continue;
            }
            $pause = $lasted > self::STEADY ? self::FIRST_PAUSE : min(2 * $pause, self::MOST_PAUSE);
            $wait = $this->command->every > 0 ? max(0.001, $this->command->every - $lasted) : $pause;
            if ($status !== 0 || $this->command->every <= 0) {
                $this->logger->warning(sprintf('Background command "%s" %s after %.1f s; it starts again in %.1f s.', $this->command->name, self::sentence($status), $lasted, $wait));
            }
            $this->wake->pop($wait);
        }
    }

    private function listenToSignals(): void
    {
        foreach ([SIGTERM, SIGHUP, SIGQUIT] as $signal) { // a terminal sends these to all processes of the server, not to the command
            Process::signal($signal, fn () => $this->endRun(CommandEnd::Stop));
        }
        Process::signal(SIGINT, function (): void {
            $this->patienceAtStop = self::HURRY; // Ctrl-C: the server stops at once
            $this->endRun(CommandEnd::Stop);
        });
        Process::signal(SIGUSR1, function (): void {
            if (!$this->isStopping()) {
                $this->endRun(CommandEnd::Restart);
            }
        });
    }

    private function isStopping(): bool
    {
        return $this->end === CommandEnd::Stop;
    }

    private function patience(): float
    {
        return $this->isStopping() ? $this->patienceAtStop : self::PATIENCE;
    }

    private function endRun(CommandEnd $why): void
    {
        $this->end = $this->end->orStronger($why);
        if (!$this->group->end($this->patience(), $this->end) && $this->wake->isEmpty()) {
            $this->wake->push(true);
        }
    }

    /** A process that was killed before this one took its place has left its command: two must not run at once. */
    private function endFormer(): void
    {
        if (!$this->group->takeOver()) {
            return;
        }
        $this->logger->warning("Background command \"{$this->command->name}\" still runs, but the process that started it was killed: it is ended and started again.");
        $this->group->end($this->patience(), $this->end);
        $this->group->awaitLeader();
        $this->group->endRest($this->patience(), $this->end);
        $this->group->forget();
    }

    /** @return int the status with which the command has ended; below zero the signal that has ended it */
    private function runOnce(): int
    {
        $words = $this->command->words;
        $words = $words[0] === 'php' ? [PHP_BINARY, ...PhpSettings::ofCommands(), ...array_slice($words, 1)] : $words;
        [$descriptors, $variables] = Inheritance::of();
        // @phpstan-ignore argument.type (the number of a descriptor is an integer)
        $handle = @proc_open([...self::leaderOfGroup(), ...$words], [['file', '/dev/null', 'r'], ['redirect', 2]] + $descriptors, $pipes, null, $variables === [] ? null : $variables + getenv());
        if ($handle === false) {
            $this->logger->error("Background command \"{$this->command->name}\" cannot be started: " . (error_get_last()['message'] ?? 'unknown reason') . '.');
            return 127;
        }
        $facts = proc_get_status($handle);
        $this->group->begin($facts['pid'], $facts['running']);
        if ($this->end->isAskedFor()) {
            $this->group->end($this->patience(), $this->end); // the signal came before there was a child
        }
        $limit = $this->command->timeout > 0 ? (int) Timer::after(max(1, (int) ($this->command->timeout * 1000)), $this->expire(...)) : 0;
        if ($facts['running']) {
            // proc_close() does not tell a signal from a status.
            $end = System::waitPid($facts['pid']);
            $facts = is_array($end) ? ['signaled' => $end['signal'] > 0, 'termsig' => $end['signal'], 'exitcode' => $end['code']] : proc_get_status($handle);
        }
        proc_close($handle);
        $this->group->noteEndOfLeader();
        $limit !== 0 && Timer::clear($limit);
        if ($this->command->every <= 0 || $this->end !== CommandEnd::None) {
            $this->group->endRest($this->patience(), $this->end);
        }
        $this->group->forget();
        return $facts['signaled'] ? -$facts['termsig'] : $facts['exitcode'];
    }

    private function expire(): void
    {
        if ($this->end === CommandEnd::None) {
            $this->logger->warning("Background command \"{$this->command->name}\" has run for {$this->command->timeout} s, which is its limit: it is ended.");
            $this->endRun(CommandEnd::Overdue);
        }
    }

    /** @return list<string> what makes a command the leader of a process group; empty where there is no such program */
    private static function leaderOfGroup(): array
    {
        $folders = explode(':', (string) getenv('PATH'));
        return array_filter($folders, static fn (string $folder): bool => is_executable("{$folder}/setsid")) === [] ? [] : ['setsid'];
    }

    private static function sentence(int $status): string
    {
        return match (true) {
            $status < 0 => 'was ended by signal ' . -$status,
            $status === 127 => 'has ended with status 127 (there is no such program, or it cannot be run)',
            default => "has ended with status {$status}",
        };
    }
}
