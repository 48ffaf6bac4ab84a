<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Stampede\Launcher\Kind;
use Swoole\Process;
use Throwable;

/**
 * The process that boots the application for one worker and forks a process for each request. A program of its own, so that what it
 * forks has no connection, listening socket, timer or event loop of the worker.
 */
final class ForkServer
{
    public const FORK = 'F';
    public const KILL = 'K'; // and the number of the process
    public const BOOTED = 'B';
    public const FAILED = 'X'; // and the length of the text that follows
    public const ENDED = 'E'; // and the number of the process

    /** @var array<int, true> by number */
    private array $children = [];
    /** @var resource */
    private $control;

    public function __construct(private readonly Bridge $bridge, private readonly string $path, private readonly bool $showsErrors) {}

    /**
     * @param array<string, string> $facts
     * @return int exit status
     */
    public static function serve(array $facts): int
    {
        posix_setsid(); // Ctrl-C in a terminal is for the server, which lets its requests end
        chdir($facts['directory']);
        $bridge = Bridges::of(Kind::from($facts['kind']), $facts['directory'], $facts['entry'], $facts['documentRoot'], $facts['environment']);
        return (new self($bridge, $facts['path'], $facts['environment'] !== 'prod'))->run();
    }

    private function run(): int
    {
        $control = stream_socket_client("unix://{$this->path}");
        if ($control === false) {
            return 1;
        }
        $this->control = $control;
        fwrite($control, pack('aN', ForkStock::CONTROL, getmypid()));
        try {
            $this->bridge->boot();
        } catch (Throwable $failure) {
            $text = sprintf('%s: %s (%s:%d)', get_class($failure), $failure->getMessage(), $failure->getFile(), $failure->getLine());
            fwrite($control, pack('aN', self::FAILED, strlen($text)) . $text);
            return 1;
        }
        fwrite($control, pack('aN', self::BOOTED, 0));
        pcntl_async_signals(true);
        pcntl_signal(SIGCHLD, static function (): void {}, false); // ends stream_select()
        $this->obey();
        @unlink($this->path); // a worker that was killed has not done it
        foreach (array_keys($this->children) as $pid) {
            posix_kill($pid, SIGKILL);
        }
        while (pcntl_wait($status) > 0) {
        }
        return 0;
    }

    /** Until the worker closes the connection or is gone. */
    private function obey(): void
    {
        for ($bytes = '';;) {
            $this->reap();
            $readable = [$this->control];
            $none = null;
            if (!@stream_select($readable, $none, $none, 1)) {
                continue;
            }
            $read = (string) fread($this->control, 8192);
            if ($read === '') {
                return;
            }
            for ($bytes .= $read; strlen($bytes) >= 5; $bytes = substr($bytes, 5)) {
                ['type' => $type, 'pid' => $pid] = unpack('atype/Npid', $bytes) ?: ['type' => '', 'pid' => 0];
                if ($type === self::FORK) {
                    $this->fork();
                } elseif ($type === self::KILL && isset($this->children[$pid])) {
                    posix_kill($pid, SIGKILL); // only what has not been waited for: the number can be no other process
                }
            }
        }
    }

    private function fork(): void
    {
        $process = new Process($this->inChild(...), false, 0);
        $pid = $process->start();
        if (is_int($pid)) {
            $this->children[$pid] = true;
        } else {
            fwrite($this->control, pack('aN', self::ENDED, 0));
        }
    }

    private function inChild(): void
    {
        pcntl_signal(SIGCHLD, SIG_DFL);
        pcntl_async_signals(false);
        fclose($this->control);
        (new ForkedChild($this->bridge, $this->path, $this->showsErrors))->run();
    }

    private function reap(): void
    {
        while (($pid = pcntl_waitpid(-1, $status, WNOHANG)) > 0) {
            unset($this->children[$pid]);
            if (pcntl_wifsignaled($status) && pcntl_wtermsig($status) !== SIGKILL) {
                fwrite(STDERR, "Process {$pid} of a request was ended by signal " . pcntl_wtermsig($status) . ".\n");
            }
            fwrite($this->control, pack('aN', self::ENDED, $pid));
        }
    }
}
