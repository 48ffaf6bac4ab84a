<?php

declare(strict_types=1);

namespace Stampede\Process;

use Swoole\Coroutine\Socket;

/** A process that handles requests, one after another, as the worker has it. */
final class ChildConnection
{
    private const JOINED = 64 << 10; // bytes of a body that goes with its head in one call

    public readonly FrameReader $frames;
    public ChildState $state = ChildState::Idle;
    public float $since = 0.0; // when it was given its request
    public bool $hasEnded = false; // what has forked it has said so

    public function __construct(public readonly int $pid, private readonly Socket $socket)
    {
        $this->frames = new FrameReader($socket);
    }

    /**
     * Waits until the process has read most of it.
     *
     * @return int how many bytes were sent
     */
    public function send(string $head, string $body): int
    {
        if (strlen($body) <= self::JOINED) {
            return (int) $this->socket->sendAll($head . $body, -1);
        }
        $sent = (int) $this->socket->sendAll($head, -1);
        return $sent < strlen($head) ? $sent : $sent + (int) $this->socket->sendAll($body, -1);
    }

    public function close(): void
    {
        $this->socket->close();
    }

    /** What the process has sent is still read; then comes the end, although a program that the script has started may hold the other side open. */
    public function noteEnd(): void
    {
        $this->socket->shutdown(STREAM_SHUT_RD);
    }
}
