<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A raw connection. It always reads while it writes, so that an early answer is seen and no side waits for the other. */
final class Peer
{
    public const CHUNK = 65536;

    /** @var resource|null */
    private $socket;
    private string $received = '';
    private bool $ended = false;  // the server has closed its side
    private bool $reset = false;

    public function __construct(string $address)
    {
        $socket = @stream_socket_client($address, $code, $message, 5.0);
        if ($socket === false && $code === SOCKET_ECONNRESET) {  // accepted and refused before connect() has returned
            $this->ended = $this->reset = true;
            return;
        }
        $this->socket = $socket ?: throw new \ErrorException("cannot connect to $address: $message");
        stream_set_blocking($this->socket, false);
        $raw = socket_import_stream($this->socket);
        if (str_starts_with($address, 'tcp:')) {
            socket_set_option($raw, SOL_TCP, TCP_NODELAY, 1);
        }
    }

    /**
     * Sends pieces one after the other; each leaves when the one before it has been taken by the kernel.
     * Stops when the server has closed. False when not everything could be sent in time.
     *
     * @param iterable<string> $pieces
     */
    public function send(iterable $pieces, float $seconds = 10.0): bool
    {
        $deadline = microtime(true) + $seconds;
        foreach ($pieces as $piece) {
            for ($sent = 0; $sent < strlen($piece);) {
                if ($this->ended || microtime(true) > $deadline) {
                    return false;
                }
                $this->wait($deadline, true);
                $taken = @fwrite($this->socket, substr($piece, $sent, self::CHUNK));
                if ($taken === false) {
                    $this->readMore();
                    return false;
                }
                $sent += $taken;
            }
        }
        return true;
    }

    /** A byte of urgent data: the server's reads end before it, and go on behind it. */
    public function sendUrgent(string $byte): bool
    {
        return stream_socket_sendto($this->socket, $byte, STREAM_OOB) === 1;
    }

    /** Ends our side only. */
    public function finishSending(): void
    {
        if (!$this->ended) {
            @stream_socket_shutdown($this->socket, STREAM_SHUT_WR);
        }
    }

    /** Reads until the condition holds for what was received, the server has closed, or the time is over. */
    public function readUntil(callable $condition, float $seconds = 10.0): string
    {
        $deadline = microtime(true) + $seconds;
        $this->readMore();
        while (!$this->ended && !$condition($this->received) && microtime(true) < $deadline) {
            $this->wait($deadline, false);
        }
        return $this->received;
    }

    /** Reads everything up to the end of the connection. */
    public function readToEnd(float $seconds = 10.0): string
    {
        return $this->readUntil(static fn (): bool => false, $seconds);
    }

    /** Reads until this many whole answers are there (or the end). @return list<Answer> */
    public function answers(int $count, float $seconds = 10.0): array
    {
        $this->readUntil(static function (string $bytes) use ($count): bool {
            $answers = self::parsed($bytes);
            return count($answers) >= $count && end($answers)->whole;
        }, $seconds);
        return self::parsed($this->received);
    }

    public function received(): string
    {
        return $this->received;
    }

    /** The server has closed its side. */
    public function ended(): bool
    {
        return $this->ended;
    }

    /** The connection broke instead of ending: what the server sent may be lost. */
    public function wasReset(): bool
    {
        return $this->reset;
    }

    /** Goes away without a word (RST). */
    public function abort(): void
    {
        $raw = socket_import_stream($this->socket);
        socket_set_option($raw, SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
        $this->close();
    }

    public function close(): void
    {
        if ($this->socket !== null) {
            fclose($this->socket);
            $this->socket = null;
        }
    }

    /** @return list<Answer> */
    private static function parsed(string $bytes): array
    {
        try {
            return Answer::all($bytes);
        } catch (\UnexpectedValueException) {
            return [];
        }
    }

    private function wait(float $deadline, bool $toWrite): void
    {
        $read = [$this->socket];
        $write = $toWrite ? [$this->socket] : [];
        $none = [];
        $left = max(0.0, $deadline - microtime(true));
        stream_select($read, $write, $none, (int) $left, (int) (($left - (int) $left) * 1e6));
        if ($read !== []) {
            $this->readMore();
        }
    }

    private function readMore(): void
    {
        while (!$this->ended) {
            error_clear_last();
            $bytes = @fread($this->socket, self::CHUNK);
            if ($bytes === false || $bytes === '') {
                $error = error_get_last()['message'] ?? '';
                if (feof($this->socket) || str_contains($error, 'reset')) {
                    $this->ended = true;
                    $this->reset = str_contains($error, 'reset');
                }
                return;
            }
            $this->received .= $bytes;
        }
    }
}
