<?php

declare(strict_types=1);

namespace Stampede\Supervisor;

use Stampede\Exception\LaunchException;
use Stampede\Log\LogText;
use Stampede\Php\PhpSettings;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\System;
use Swoole\Http\Server as HttpServer;
use Swoole\Process;
use Swoole\Timer;

/**
 * A command that runs beside the workers as long as they do: it is started again when it ends, later and later when it ends at once,
 * or every so many seconds; one that takes longer than it may is ended. A reload of the server ends and starts it, so that it runs the code as it is then.
 */
final class BackgroundCommand
{
    private const STEADY = 10.0;    // seconds: a command that ran longer has not failed to start
    private const FIRST_PAUSE = 0.5;
    private const MOST_PAUSE = 60.0;
    private const PATIENCE = 10.0;  // seconds from SIGTERM to SIGKILL with a reload
    private const HURRY = 0.25;     // seconds, as PATIENCE, when the server gives its processes half a second
    private const LOOK = 0.02;      // seconds between looks for processes that are not our children
    private const MARGIN = 0.5;     // seconds before the server kills the process that starts the command, which would leave that alone

    private Process $process;
    private CommandProcess $running;
    private bool $stopping = false;
    private bool $restarting = false;
    private int $child = 0; // leads a group of its own: what it has started and not waited for ends with it
    private bool $isRunning = false;
    private bool $isLate = false;
    private int $killer = 0;
    private float $patienceAtStop = self::PATIENCE;
    private Channel $wake;

    /** @param list<string> $command */
    private function __construct(
        private readonly string $name,
        private readonly array $command,
        private readonly float $every,
        private readonly float $timeout, // seconds; 0: any time
        private readonly string $directory,
    ) {
        $this->running = new CommandProcess();
        $this->process = new Process(fn () => $this->run(), false, 0, true);
    }

    /**
     * @param array<string, mixed> $given commands by name: a list of words, or ['command' => [...], 'every' => seconds, 'timeout' => seconds]
     * @return list<self>
     * @throws LaunchException
     */
    public static function read(array $given, string $directory): array
    {
        $read = [];
        foreach ($given as $name => $entry) {
            $entry = is_array($entry) && array_is_list($entry) ? ['command' => $entry] : $entry;
            $command = is_array($entry) ? $entry['command'] ?? null : null;
            $every = is_array($entry) ? $entry['every'] ?? 0 : null;
            $timeout = is_array($entry) ? $entry['timeout'] ?? 0 : null;
            if (!is_string($name) || !is_array($command) || $command === [] || $command !== array_filter($command, 'is_string')
                || !is_numeric($every) || $every < 0 || !is_numeric($timeout) || $timeout < 0 || array_diff(array_keys((array) $entry), ['command', 'every', 'timeout']) !== []) {
                throw new LaunchException("The option \"background\": \"{$name}\" must be a list of words such as [\"php\", \"bin/queue.php\"], or {\"command\": [...], \"every\": seconds, \"timeout\": seconds}.");
            }
            $read[] = new self($name, array_values($command), (float) $every, (float) $timeout, $directory);
        }
        return $read;
    }

    /** @param float $waits seconds that the server waits for its processes when it stops */
    public function addTo(HttpServer $server, float $waits): void
    {
        $this->patienceAtStop = max(self::MARGIN, $waits - self::MARGIN);
        $server->addProcess($this->process);
    }

    /** In the first process of the server. */
    public function reload(): void
    {
        posix_kill($this->process->pid, SIGUSR1);
    }

    /** The life of the process that starts the command. */
    private function run(): void
    {
        cli_set_process_title("stampede: background {$this->name}");
        $this->wake = new Channel(1);
        foreach ([SIGTERM, SIGHUP, SIGQUIT] as $signal) { // a terminal sends these to all processes of the server, not to the command
            Process::signal($signal, $this->stop(...));
        }
        Process::signal(SIGINT, function (): void {
            $this->patienceAtStop = self::HURRY; // Ctrl-C: the server stops at once
            $this->stop();
        });
        Process::signal(SIGUSR1, function (): void {
            $this->restarting = true;
            $this->stopping || $this->end(self::PATIENCE);
        });
        chdir($this->directory);
        $this->endFormer();
        for ($pause = self::FIRST_PAUSE; !$this->stopping;) {
            $this->restarting = false;
            $began = microtime(true);
            $status = $this->start();
            $lasted = microtime(true) - $began;
            if ($this->isEnding()) {
                continue;
            }
            $pause = $lasted > self::STEADY ? self::FIRST_PAUSE : min(2 * $pause, self::MOST_PAUSE);
            $wait = $this->every > 0 ? max(0.001, $this->every - $lasted) : $pause;
            if ($status !== 0 || $this->every <= 0) {
                $how = match (true) {
                    $status < 0 => 'was ended by signal ' . -$status,
                    $status === 127 => 'has ended with status 127 (there is no such program, or it cannot be run)',
                    default => "has ended with status {$status}",
                };
                LogText::log(sprintf('Background command "%s" %s after %.1f s; it starts again in %.1f s.', $this->name, $how, $lasted, $wait), 'warning');
            }
            $this->wake->pop($wait);
        }
    }

    private function stop(): void
    {
        $this->stopping = true;
        $this->end($this->patienceAtStop);
    }

    /** A process that was killed before this one took its place has left its command: two must not run at once. */
    private function endFormer(): void
    {
        $this->child = $this->running->pid();
        if ($this->child === 0) {
            return;
        }
        LogText::log("Background command \"{$this->name}\" still runs, but the process that started it was killed: it is ended and started again.", 'warning');
        $this->isRunning = true;
        $this->end($this->stopping ? $this->patienceAtStop : self::PATIENCE);
        while ($this->running->pid() !== 0) {
            System::sleep(self::LOOK); // its parent is told of its end, and that is another process
        }
        $this->isRunning = false;
        $this->endRest();
        $this->noteEnd();
    }

    /** @return int the status with which the command has ended; below zero the signal that has ended it */
    private function start(): int
    {
        $words = $this->command[0] === 'php' ? [PHP_BINARY, ...PhpSettings::ofCommands(), ...array_slice($this->command, 1)] : $this->command;
        // @phpstan-ignore argument.type (the number of a descriptor is an integer)
        $handle = @proc_open([...self::leaderOfGroup(), ...$words], [['file', '/dev/null', 'r'], ['redirect', 2]], $pipes);
        if ($handle === false) {
            LogText::log("Background command \"{$this->name}\" cannot be started: " . (error_get_last()['message'] ?? 'unknown reason') . '.');
            return 127;
        }
        $facts = proc_get_status($handle);
        $this->child = $facts['pid'];
        $this->isRunning = $facts['running'];
        $this->running->note($this->child);
        if ($this->isEnding()) {
            $this->end($this->stopping ? $this->patienceAtStop : self::PATIENCE); // the signal came before there was a child
        }
        $limit = $this->timeout > 0 ? (int) Timer::after(max(1, (int) ($this->timeout * 1000)), $this->expire(...)) : 0;
        if ($facts['running']) {
            // proc_close() does not tell a signal from a status.
            $end = System::waitPid($facts['pid']);
            $facts = is_array($end) ? ['signaled' => $end['signal'] > 0, 'termsig' => $end['signal'], 'exitcode' => $end['code']] : proc_get_status($handle);
        }
        $status = $facts['signaled'] ? -$facts['termsig'] : $facts['exitcode'];
        proc_close($handle);
        $this->isRunning = false;
        $limit !== 0 && Timer::clear($limit);
        if ($this->every <= 0 || $this->isLate || $this->isEnding()) {
            $this->endRest();
        }
        $this->isLate = false;
        $this->noteEnd();
        return $status;
    }

    /** @return list<string> what makes a command the leader of a process group; empty where there is no such program */
    private static function leaderOfGroup(): array
    {
        $folders = explode(':', (string) getenv('PATH'));
        return array_filter($folders, static fn (string $folder): bool => is_executable("{$folder}/setsid")) === [] ? [] : ['setsid'];
    }

    /** The command itself has ended: what it has started and left behind has as much time for it, and must not run beside its next start. */
    private function endRest(): void
    {
        if ($this->child === 0 || !posix_kill(-$this->child, 0)) {
            return;
        }
        $patience = $this->stopping ? $this->patienceAtStop : self::PATIENCE;
        $this->killer === 0 && $this->end($patience);
        // Where nothing waits for processes whose parent is gone, they stay in the group.
        for ($until = microtime(true) + $patience + self::MARGIN; posix_kill(-$this->child, 0) && microtime(true) < $until;) {
            System::sleep(self::LOOK);
        }
    }

    private function signal(int $signal): void
    {
        if (!posix_kill(-$this->child, $signal) && $this->isRunning) { // it leads no group, or not yet
            posix_kill($this->child, $signal);
        }
    }

    private function noteEnd(): void
    {
        $this->child = 0;
        $this->running->forget();
        if ($this->killer !== 0) {
            Timer::clear($this->killer);
            $this->killer = 0;
        }
    }

    private function end(float $patience): void
    {
        if ($this->child === 0) {
            $this->wake->isEmpty() && $this->wake->push(true);
            return;
        }
        if ($this->killer !== 0) {
            if (!$this->stopping) {
                return;
            }
            Timer::clear($this->killer); // that of a reload before the stop
        }
        $this->signal(SIGTERM);
        $this->killer = (int) Timer::after((int) ($patience * 1000), $this->kill(...));
    }

    private function expire(): void
    {
        if (!$this->isEnding()) {
            $this->isLate = true;
            LogText::log("Background command \"{$this->name}\" has run for {$this->timeout} s, which is its limit: it is ended.", 'warning');
            $this->end(self::PATIENCE);
        }
    }

    private function kill(): void
    {
        if ($this->child !== 0) {
            $this->signal(SIGKILL);
        }
    }

    private function isEnding(): bool
    {
        return $this->stopping || $this->restarting;
    }
}
