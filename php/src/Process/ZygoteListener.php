<?php

declare(strict_types=1);

namespace Stampede\Process;

use Closure;
use Swoole\Process;

/** In the program that forks the processes of requests: for each worker that connects, it forks one that forks for that worker (WorkerZygote). */
final class ZygoteListener
{
    private const BACKLOG = 1024; // workers that start at the same time
    private const PAUSE = 100_000; // microseconds between looks for the boot process, while there is no worker

    /** @var resource */
    private $listener;

    /**
     * @param Closure(string): void $inChild in each process for requests, with the path where its worker awaits it
     * @param (Closure(): void)|null $before a worker's first one is forked
     */
    private function __construct(private readonly string $path, private readonly Closure $inChild, private readonly ?Closure $before) {}

    /**
     * @param Closure(string): void $inChild
     * @param (Closure(): void)|null $before
     */
    public static function open(string $path, Closure $inChild, ?Closure $before = null): ?self
    {
        $made = new self($path, $inChild, $before);
        $mask = umask(0177); // no other user may connect
        $context = stream_context_create(['socket' => ['backlog' => self::BACKLOG]]);
        $listener = stream_socket_server("unix://{$path}", context: $context);
        umask($mask);
        if ($listener === false) {
            return null;
        }
        $made->listener = $listener;
        return $made;
    }

    public function close(): void
    {
        @unlink($this->path);
    }

    /** As long as the boot process, or a worker of its generation, is there. */
    public function serve(int $bootProcess): void
    {
        pcntl_async_signals(true);
        pcntl_signal(SIGCHLD, static function (): void {}, false); // ends stream_select()
        $forks = []; // by the number of the process
        while ($forks !== [] || posix_getppid() === $bootProcess) {
            $readable = [$this->listener];
            $none = null;
            if (@stream_select($readable, $none, $none, $forks === [] ? 0 : 1, $forks === [] ? self::PAUSE : 0) && ($control = @stream_socket_accept($this->listener, 0)) !== false) {
                $process = new Process(fn () => $this->forkFor($control), false, 0);
                $pid = $process->start();
                if (is_int($pid)) {
                    $forks[$pid] = true;
                }
                fclose($control);
            }
            while (($pid = pcntl_waitpid(-1, $status, WNOHANG)) > 0) {
                unset($forks[$pid]);
            }
        }
        $this->close();
    }

    /** @param resource $control */
    private function forkFor($control): void
    {
        fclose($this->listener);
        $this->before?->__invoke();
        (new WorkerZygote($control, $this->inChild))->run();
        posix_kill((int) getmypid(), SIGKILL); // without the application's shutdown functions and destructors
    }
}
