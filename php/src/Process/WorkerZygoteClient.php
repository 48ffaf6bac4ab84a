<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Exception\LaunchException;
use Swoole\Coroutine\Socket;

/** A worker's side of the process that forks for it (WorkerZygote): orders, news of ends, and the socket to which what is forked connects. */
final class WorkerZygoteClient
{
    private const HELLO_TIME = 5.0; // seconds

    private ?Socket $listener = null;
    private ?Socket $control = null;
    private string $path = '';

    public function __construct(private readonly ZygoteClient $zygote) {}

    /**
     * @return bool false when the program that forks is gone
     * @throws LaunchException
     */
    public function open(int $backlog): bool
    {
        $this->path = UnixSocket::newPath();
        $this->listener = UnixSocket::listen($this->path, $backlog);
        try {
            $this->control = $this->zygote->connect($this->path);
        } finally {
            if ($this->control === null) {
                $this->close();
            }
        }
        return $this->control !== null;
    }

    public function fork(): void
    {
        $this->control?->sendAll(pack('aN', FrameType::FORK, 0));
    }

    public function kill(int $pid): void
    {
        $this->control?->sendAll(pack('aN', FrameType::KILL, $pid));
    }

    /** @return int|null the number of a process that has ended, 0 for one that could not be forked; null: the process that forks has ended */
    public function awaitEnd(): ?int
    {
        $head = (string) $this->control?->recvAll(FrameReader::HEAD, -1);
        return strlen($head) === FrameReader::HEAD ? FrameReader::number($head) : null;
    }

    /** @return ChildConnection|false|null a process that was forked; false: one that has not said so; null: none connects in time */
    public function accept(float $seconds = -1): ChildConnection|false|null
    {
        $socket = $this->listener?->accept($seconds);
        if (!$socket instanceof Socket) {
            return null;
        }
        $hello = (string) $socket->recvAll(FrameReader::HEAD, self::HELLO_TIME);
        if (strlen($hello) === FrameReader::HEAD && $hello[0] === FrameType::HELLO) {
            return new ChildConnection(FrameReader::number($hello), $socket);
        }
        $socket->close();
        return false;
    }

    /** What it has forked ends with its requests. */
    public function close(): void
    {
        @unlink($this->path);
        $this->listener?->close();
        $this->control?->close();
    }
}
