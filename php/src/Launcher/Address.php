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
