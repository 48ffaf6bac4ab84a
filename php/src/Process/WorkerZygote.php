<?php

declare(strict_types=1);

namespace Stampede\Process;

use Closure;
use Stampede\Log\Logger;
use Stampede\RequestLoop;
use Swoole\Process;

/** Forks the processes of one worker's requests, in a process of its own that ApplicationZygote has forked: ends with the worker, and they with it. */
final class WorkerZygote
{
    private const HELLO_TIME = 5; // seconds

    /** @var array<int, true> by number */
    private array $children = [];
    private string $path = '';

    /**
     * @param resource $control to the worker
     * @param Closure(string): void $inChild with the path where the worker awaits it
     */
    public function __construct(private $control, private readonly Closure $inChild, private readonly Logger $logger) {}

    /** Until the worker closes the connection or is gone. */
    public function run(): void
    {
        if ($this->meet()) {
            $this->obey();
            @unlink($this->path); // a worker that was killed has not done it
        }
        array_map(RequestLoop::kill(...), array_keys($this->children));
        while (pcntl_wait($status) > 0) {
        }
    }

    private function meet(): bool
    {
        stream_set_timeout($this->control, self::HELLO_TIME);
        $head = (string) fread($this->control, FrameReader::HEAD);
        if (strlen($head) !== FrameReader::HEAD || $head[0] !== FrameType::OPEN) {
            return false;
        }
        $this->path = (string) fread($this->control, max(1, FrameReader::number($head)));
        return $this->tell(FrameType::OPENED, (int) getmypid());
    }

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
            for ($bytes .= $read; strlen($bytes) >= FrameReader::HEAD; $bytes = substr($bytes, FrameReader::HEAD)) {
                $pid = FrameReader::number($bytes);
                if ($bytes[0] === FrameType::FORK) {
                    $this->fork();
                } elseif ($bytes[0] === FrameType::KILL && isset($this->children[$pid])) {
                    RequestLoop::kill($pid); // only what has not been waited for: the number can be no other process
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
            $this->tell(FrameType::ENDED, 0);
        }
    }

    private function inChild(): void
    {
        pcntl_signal(SIGCHLD, SIG_DFL);
        pcntl_async_signals(false);
        fclose($this->control);
        ($this->inChild)($this->path);
    }

    private function reap(): void
    {
        while (($pid = pcntl_waitpid(-1, $status, WNOHANG)) > 0) {
            unset($this->children[$pid]);
            if (pcntl_wifsignaled($status) && pcntl_wtermsig($status) !== SIGKILL) {
                $this->logger->error("Process {$pid} of a request was ended by signal " . pcntl_wtermsig($status) . '.');
            }
            $this->tell(FrameType::ENDED, $pid);
        }
    }

    private function tell(string $news, int $number): bool
    {
        return @fwrite($this->control, pack('aN', $news, $number)) === 5;
    }
}
