<?php

declare(strict_types=1);

namespace Stampede\Config;

use Stampede\Exception\ConfigurationException;

/** Where a server listens. */
final readonly class ListenAddress
{
    private const USUAL_PORTS = ['' => 8000, 'http://' => 80, 'https://' => 443];

    private function __construct(public string $host, public int $port, public int $type, public bool $isSecure = false) {}

    /** @throws ConfigurationException */
    public static function parse(string $text): self
    {
        if (str_starts_with($text, 'unix:')) {
            return new self(substr($text, 5), 0, SWOOLE_SOCK_UNIX_STREAM);
        }
        if (preg_match('~^(https?://|)(systemd(?::[a-z][\w.-]*)?)$~Di', $text, $part) === 1) {
            return new self($part[2], 0, SWOOLE_SOCK_TCP, strtolower($part[1]) === 'https://');
        }
        if (!preg_match('~^(?<scheme>https?://|)(?:\[(?<six>[0-9a-f:.]+)\]|(?<host>[^:/]*))(?::(?<port>\d{1,5}))?/?$~i', ctype_digit($text) ? ":{$text}" : $text, $part)
            || (int) ($part['port'] ?? 0) > 65535) {
            throw new ConfigurationException("\"{$text}\" is no address to listen on: write ADDRESS:PORT such as 0.0.0.0:8000, [::1]:8000, https://0.0.0.0:443, or unix:PATH.");
        }
        $scheme = strtolower($part['scheme']);
        $isSecure = $scheme === 'https://';
        $port = isset($part['port']) ? (int) $part['port'] : self::USUAL_PORTS[$scheme];
        if (($part['six'] ?? '') !== '') {
            return new self($part['six'], $port, SWOOLE_SOCK_TCP6, $isSecure);
        }
        $host = match ($part['host'] ?? '') {
            '', '*' => '0.0.0.0',
            'localhost' => '127.0.0.1',
            default => $part['host'],
        };
        return new self($host, $port, SWOOLE_SOCK_TCP, $isSecure);
    }

    /** The one that is so many further: by its port, or by a number after the path of a unix socket. */
    public function further(int $by): self
    {
        if ($this->type === SWOOLE_SOCK_UNIX_STREAM) {
            return new self("{$this->host}.{$by}", 0, $this->type);
        }
        if ($this->port !== 0 && $this->port + $by > 65535) {
            throw new ConfigurationException("There is no port {$this->port} + {$by}: choose a lower one.");
        }
        return new self($this->host, $this->port === 0 ? 0 : $this->port + $by, $this->type, $this->isSecure);
    }

    /** Whether only programs of this machine can reach it. */
    public function isLocal(): bool
    {
        return $this->type === SWOOLE_SOCK_UNIX_STREAM || $this->host === '::1' || str_starts_with($this->host, '127.');
    }

    public function socketType(): int
    {
        return $this->isSecure ? $this->type | SWOOLE_SSL : $this->type;
    }

    /** For messages, as the user may have written it. */
    public function name(): string
    {
        return $this->type === SWOOLE_SOCK_UNIX_STREAM ? "unix:{$this->host}" : $this->authority($this->port);
    }

    /** As a browser is given it. */
    public function url(int $port): string
    {
        if ($this->type === SWOOLE_SOCK_UNIX_STREAM) {
            return "unix:{$this->host}";
        }
        $scheme = $this->isSecure ? 'https' : 'http';
        return "{$scheme}://" . ($this->host === '0.0.0.0' ? "127.0.0.1:{$port}" : $this->authority($port)) . '/';
    }

    private function authority(int $port): string
    {
        return ($this->type === SWOOLE_SOCK_TCP6 ? "[{$this->host}]" : $this->host) . ":{$port}";
    }
}
