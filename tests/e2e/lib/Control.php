<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A client of a control socket. */
final class Control
{
    /** @var resource|false */
    private $socket;

    public function __construct(string $path)
    {
        // The port of a server takes connections before its supervisor is there.
        Server::until(10, function () use ($path): bool {
            $this->socket = @stream_socket_client("unix://$path", $code, $message, 5.0);
            return $this->socket !== false;
        });
        if ($this->socket === false) {
            throw new \RuntimeException("nobody listens on $path");
        }
        stream_set_timeout($this->socket, 10);
    }

    /** @param array<int|string, mixed>|string $command the name first */
    public function ask(array|string $command): mixed
    {
        // One that it does not want may be told so, and closed, before it has asked.
        @fwrite($this->socket, (is_string($command) ? $command : json_encode(['command' => $command[0]] + $command)) . "\n");
        return json_decode((string) fgets($this->socket), true);
    }

    public function ended(): bool
    {
        return fgets($this->socket) === false && feof($this->socket);
    }

    /** Does not wait for a response. */
    public function send(string $bytes): void
    {
        @fwrite($this->socket, $bytes);
    }
}
