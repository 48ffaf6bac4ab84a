<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Stampede\Checkpoint;
use Stampede\Launcher\Generation;
use Stampede\Launcher\Isolation;
use Stampede\Launcher\Kind;
use Stampede\Launcher\LaunchException;
use Stampede\WebRequest;
use Swoole\Coroutine;
use Swoole\ExitException;
use Swoole\Process;
use Throwable;

/**
 * The process that boots the application for one worker and forks the processes of the requests, which go back to what they were after the
 * boot when a request has ended. A program of its own, so that what it forks has no connection, listening socket, timer or event loop of
 * the worker.
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

    private readonly bool $keeps; // children go back

    /** @param list<string> $warmUp paths that the application is asked for before its memory is kept */
    public function __construct(private readonly Bridge $bridge, private readonly string $path, private readonly bool $showsErrors, private readonly array $warmUp, bool $fresh)
    {
        $this->keeps = !$fresh && Checkpoint::obstacle() === null;
    }

    /**
     * @param array<string, string> $facts
     * @return int exit status
     */
    public static function serve(array $facts): int
    {
        posix_setsid(); // Ctrl-C in a terminal is for the server, which lets its requests end
        chdir($facts['directory']);
        $bridge = Bridges::of(Kind::from($facts['kind']), $facts['directory'], $facts['entry'], $facts['documentRoot'], $facts['environment'], Isolation::Process);
        return (new self($bridge, $facts['path'], $facts['environment'] !== 'prod', json_decode($facts['warmUp'], true, 2, JSON_THROW_ON_ERROR), $facts['fresh'] !== ''))->run();
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
            $this->warmUp();
        } catch (Throwable $failure) {
            $text = Generation::sentence($failure);
            fwrite($control, pack('aN', self::FAILED, strlen($text)) . $text);
            return 1;
        }
        if ($this->keeps && $this->keep()) {
            (new ForkedChild($this->bridge, $this->showsErrors, true))->handleOne(); // in a child that has gone back
            return 0;
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

    private function warmUp(): void
    {
        Coroutine::set(['hook_flags' => 0]);
        foreach ($this->warmUp as $path) {
            $why = '';
            Coroutine\run(function () use ($path, &$why): void {
                try {
                    $status = $this->bridge->handle(ForkedRequest::get($path, 'stampede warm-up'), ForkedResponse::forNobody());
                    $why = $status < 500 ? '' : "it has status {$status}.";
                } catch (ExitException) {
                    // As good an end as any.
                } catch (Throwable $failure) {
                    $why = Generation::sentence($failure);
                }
            });
            if ($why !== '') {
                throw new LaunchException("The warm-up GET {$path} failed: {$why}");
            }
        }
        if ($this->warmUp !== []) {
            $this->bridge->reset();
        }
    }

    /** What every request needs is made before: it is there each time then. */
    private function keep(): bool
    {
        foreach ([ForkedChild::class, ForkedRequest::class, ForkedResponse::class] as $class) {
            class_exists($class);
        }
        Coroutine::set(['hook_flags' => 0]);
        Coroutine\run(static function (): void {});
        gc_collect_cycles();
        return Checkpoint::keep();
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
        WebRequest::endProcessToo();
        if (!Checkpoint::connect($this->path)) {
            return; // the worker is gone
        }
        if ($this->keeps) {
            Checkpoint::begin(); // goes on where this process called keep()
        }
        (new ForkedChild($this->bridge, $this->showsErrors, false))->handleOne();
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
