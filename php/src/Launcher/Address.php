<?php

declare(strict_types=1);

namespace Stampede\Launcher;

/** Where a server listens. */
final readonly class Address
{
    private function __construct(public string $host, public int $port, public int $type) {}

    /** @throws LaunchException */
    public static function parse(string $text): self
    {
        if (str_starts_with($text, 'unix:')) {
            return new self(substr($text, 5), 0, SWOOLE_SOCK_UNIX_STREAM);
        }
        if (!preg_match('/^(?:\[(?<six>[0-9a-f:.]+)\]|(?<host>[^:]*))(?::(?<port>\d{1,5}))?$/i', ctype_digit($text) ? ":{$text}" : $text, $part)
            || (int) ($part['port'] ?? 0) > 65535) {
            throw new LaunchException("\"{$text}\" is no address to listen on: write ADDRESS:PORT such as 0.0.0.0:8000, [::1]:8000, or unix:PATH.");
        }
        $port = isset($part['port']) ? (int) $part['port'] : 8000;
        if (($part['six'] ?? '') !== '') {
            return new self($part['six'], $port, SWOOLE_SOCK_TCP6);
        }
        $host = match ($part['host'] ?? '') {
            '', '*' => '0.0.0.0',
            'localhost' => '127.0.0.1',
            default => $part['host'],
        };
        return new self($host, $port, SWOOLE_SOCK_TCP);
    }

    /** The one that is so many further: by its port, or by a number after the path of a unix socket. */
    public function further(int $by): self
    {
        if ($this->type === SWOOLE_SOCK_UNIX_STREAM) {
            return new self("{$this->host}.{$by}", 0, $this->type);
        }
        if ($this->port !== 0 && $this->port + $by > 65535) {
            throw new LaunchException("There is no port {$this->port} + {$by}: choose a lower one.");
        }
        return new self($this->host, $this->port === 0 ? 0 : $this->port + $by, $this->type);
    }

    /** Whether only programs of this machine can reach it. */
    public function isLocal(): bool
    {
        return $this->type === SWOOLE_SOCK_UNIX_STREAM || $this->host === '::1' || str_starts_with($this->host, '127.');
    }

    /** As a browser is given it. */
    public function url(int $port): string
    {
        return match ($this->type) {
            SWOOLE_SOCK_UNIX_STREAM => "unix:{$this->host}",
            SWOOLE_SOCK_TCP6 => "http://[{$this->host}]:{$port}/",
            default => 'http://' . ($this->host === '0.0.0.0' ? '127.0.0.1' : $this->host) . ":{$port}/",
        };
    }
}
