<?php

declare(strict_types=1);

namespace Stampede\Process;

use Swoole\Coroutine\Socket;

/** What a forked process sends, frame by frame: a letter, a length, so many bytes. */
final class FrameReader
{
    public const HEAD = 5; // bytes: a letter and a number
    private const PIECE = 65536;

    private string $unread = '';

    public function __construct(private readonly Socket $socket) {}

    /** @return array{string, string}|null type and content of the next one; null when the process has ended */
    public function next(): ?array
    {
        if (!$this->have(self::HEAD)) {
            return null;
        }
        $type = $this->unread[0];
        $length = self::number($this->unread);
        if (!$this->have(self::HEAD + $length)) {
            return null;
        }
        $content = substr($this->unread, self::HEAD, $length);
        $this->unread = substr($this->unread, self::HEAD + $length);
        return [$type, $content];
    }

    /** @return int|null the number after the letter when it is the next one, which has no content */
    public function nextNumber(string $type): ?int
    {
        if (!$this->have(self::HEAD) || $this->unread[0] !== $type) {
            return null;
        }
        $number = self::number($this->unread);
        $this->unread = substr($this->unread, self::HEAD);
        return $number;
    }

    public static function number(string $head): int
    {
        return (unpack('N', $head, 1) ?: [1 => 0])[1];
    }

    private function have(int $bytes): bool
    {
        while (($missing = $bytes - strlen($this->unread)) > 0) {
            $more = $missing > self::PIECE ? $this->socket->recvAll($missing, -1) : $this->socket->recv(self::PIECE, -1);
            if ($more === false || $more === '') {
                return false;
            }
            $this->unread .= $more;
        }
        return true;
    }
}
