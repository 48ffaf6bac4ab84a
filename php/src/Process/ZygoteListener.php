<?php

declare(strict_types=1);

namespace Stampede\Process;

use Closure;
use Stampede\Log\Logger;
use Swoole\Process;

/** In a zygote: for each worker that connects, it forks a process that forks for that worker (WorkerZygote). */
final class ZygoteListener
{
    private const BACKLOG = 1024; // workers that start at the same time
    private const PAUSE = 100_000; // microseconds between looks for the boot process, while there is no worker

    /** @var array<int, true> by the number of the process */
    private array $workerZygotes = [];

    /** @var resource */
    private $listener;

    /**
     * @param Closure(string): mixed $inChild in each process for requests, with the path where its worker awaits it
     * @param (Closure(): void)|null $before a worker's first one is forked
     */
    public function __construct(private readonly string $path, private readonly Closure $inChild, private readonly Logger $logger, private readonly ?Closure $before = null) {}

    /**
     * Listens, tells the boot process so, and forks as long as the boot process, or a worker of its generation, is there.
     *
     * @return int exit status
     */
    public function serve(BootReport $report, int $bootProcess): int
    {
        $mask = umask(0177); // no other user may connect
        $listener = stream_socket_server("unix://{$this->path}", context: stream_context_create(['socket' => ['backlog' => self::BACKLOG]]));
        umask($mask);
        if ($listener === false) {
            return 1;
        }
        $this->listener = $listener;
        $isAwaited = $report->booted();
        $isAwaited && $this->acceptAll($bootProcess);
        @unlink($this->path);
        return $isAwaited ? 0 : 1;
    }

    private function acceptAll(int $bootProcess): void
    {
        pcntl_async_signals(true);
        pcntl_signal(SIGCHLD, static function (): void {}, false); // ends stream_select()
        while ($this->workerZygotes !== [] || posix_getppid() === $bootProcess) {
            $readable = [$this->listener];
            $none = null;
            [$seconds, $microseconds] = $this->workerZygotes === [] ? [0, self::PAUSE] : [1, 0];
            if (@stream_select($readable, $none, $none, $seconds, $microseconds) && ($control = @stream_socket_accept($this->listener, 0)) !== false) {
                $this->forkFor($control);
                fclose($control);
            }
            while (($pid = pcntl_waitpid(-1, $status, WNOHANG)) > 0) {
                unset($this->workerZygotes[$pid]);
            }
        }
    }

    /** @param resource $control */
    private function forkFor($control): void
    {
        $process = new Process(function () use ($control): void {
            fclose($this->listener);
            $this->before?->__invoke();
            (new WorkerZygote($control, $this->inChild, $this->logger))->run();
            posix_kill((int) getmypid(), SIGKILL); // without the application's shutdown functions and destructors
        }, false, 0);
        $pid = $process->start();
        if (is_int($pid)) {
            $this->workerZygotes[$pid] = true;
        }
    }
}
