<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Server;

use Swoole\Coroutine\Socket;

/** A connection of a Swoole\Coroutine\Server. */
class Connection
{
    /** @var Socket */
    protected $socket;

    public function __construct(Socket $conn)
    {
        $this->socket = $conn;
    }

    /**
     * What has come, a packet at a time when the server has a framing; '' when the peer has closed, false on an error.
     * Waits at most $timeout seconds (0: the socket's, -1: without limit).
     *
     * @return string|false
     */
    public function recv(float $timeout = 0)
    {
        return $this->socket->recvPacket($timeout);
    }

    /**
     * Sends everything.
     *
     * @return int|false
     */
    public function send(string $data)
    {
        return $this->socket->sendAll($data);
    }

    public function close(): bool
    {
        return $this->socket->close();
    }

    public function exportSocket(): Socket
    {
        return $this->socket;
    }
}
