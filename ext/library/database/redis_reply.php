<?php

declare(strict_types=1);

namespace Stampede\Database;

use Swoole\Coroutine\Socket;

/**
 * Reads the replies of a Redis server. What a server announces reserves nothing: it is kept as it comes.
 *
 * @internal
 */
final class RedisReply
{
    public const NONE = 0;

    /** The server replied with an error, the connection goes on. */
    public const REFUSED = 1;

    public const FAILED = 2;

    public const CLOSED = 3;

    /** What came is not of this protocol. */
    public const FOREIGN = 4;

    private const EINVAL = 22;

    private const ECONNRESET = 104;

    private const LONGEST = 512 * 1024 * 1024;

    private const LONGEST_LINE = 64 * 1024;

    private const DEEPEST = 32;

    private const TYPES = ['string' => 1, 'set' => 2, 'list' => 3, 'zset' => 4, 'hash' => 5];

    /** Of the last reply. */
    public int $problem = self::NONE;

    public int $code = 0;

    public string $message = '';

    private string $buffer = '';

    private int $at = 0;

    private float $timeout = -1;

    public function __construct(private readonly Socket $socket)
    {
    }

    /** The next reply; false when there is a problem. Waits at most so many seconds for each part of it. */
    public function read(float $timeout): mixed
    {
        $this->timeout = $timeout;
        $this->problem = self::NONE;
        return $this->value(0);
    }

    private function value(int $depth): mixed
    {
        $line = $this->line();
        if ($line === null) {
            return false;
        }
        $text = substr($line, 1);
        switch ($line[0] ?? '') {
            case '+':
                return $text === 'OK' ? true : self::TYPES[$text] ?? $text;
            case '-':
                // Inside a list (of EXEC) an error is one of the values.
                return $depth > 0 ? false : $this->fail(self::REFUSED, 0, $text);
            case ':':
                return is_numeric($text) ? (int) $text : $this->foreign();
            case '$':
                return $this->bulk($text);
            case '*':
                return $this->list($text, $depth);
        }
        return $this->foreign();
    }

    private function bulk(string $size): mixed
    {
        if ($size === '-1') {
            return null;
        }
        if (!ctype_digit($size) || (int) $size > self::LONGEST) {
            return $this->foreign();
        }
        $length = (int) $size;
        while (strlen($this->buffer) - $this->at < $length + 2) {
            if (!$this->more()) {
                return false;
            }
        }
        $bytes = substr($this->buffer, $this->at, $length);
        if (substr_compare($this->buffer, "\r\n", $this->at + $length, 2) !== 0) {
            return $this->foreign();
        }
        $this->at += $length + 2;
        return $bytes;
    }

    private function list(string $size, int $depth): mixed
    {
        if ($size === '-1') {
            return null;
        }
        if (!ctype_digit($size) || $depth >= self::DEEPEST) {
            return $this->foreign();
        }
        $list = [];
        for ($left = (int) $size; $left > 0; $left--) {
            $list[] = $this->value($depth + 1);
            if ($this->problem !== self::NONE) {
                return false;
            }
        }
        return $list;
    }

    private function line(): ?string
    {
        $from = $this->at;
        while (($end = strpos($this->buffer, "\r\n", $from)) === false) {
            if (strlen($this->buffer) - $this->at > self::LONGEST_LINE || !$this->looksRight()) {
                $this->foreign();
                return null;
            }
            $seen = max(0, strlen($this->buffer) - $this->at - 1);
            if (!$this->more()) {
                return null;
            }
            $from = $this->at + $seen;
        }
        $line = substr($this->buffer, $this->at, $end - $this->at);
        $this->at = $end + 2;
        return $line;
    }

    /** Another protocol may never send an end of line. */
    private function looksRight(): bool
    {
        return $this->at >= strlen($this->buffer) || str_contains('+-:$*', $this->buffer[$this->at]);
    }

    private function more(): bool
    {
        $bytes = $this->socket->recv(65536, $this->timeout);
        if ($bytes === false) {
            $this->fail(self::FAILED, $this->socket->errCode, $this->socket->errMsg);
            return false;
        }
        if ($bytes === '') {
            $this->fail(self::CLOSED, self::ECONNRESET, 'Server closed the connection');
            return false;
        }
        if ($this->at > 0) {
            $this->buffer = substr($this->buffer, $this->at);
            $this->at = 0;
        }
        $this->buffer .= $bytes;
        return true;
    }

    private function foreign(): false
    {
        return $this->fail(self::FOREIGN, self::EINVAL, 'What the server sends is not the protocol of Redis');
    }

    private function fail(int $problem, int $code, string $message): false
    {
        $this->problem = $problem;
        $this->code = $code;
        $this->message = $message;
        return false;
    }
}
