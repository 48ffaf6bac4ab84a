<?php

declare(strict_types=1);

namespace Paddock;

use PDO;
use RuntimeException;

/**
 * What DATABASE_URL says. Empty: SQLite in var/, and live updates travel between the workers of this server. A database server: with
 * it comes Redis (the parameter "redis", otherwise one on this machine), since other servers may serve the same data.
 *
 *   sqlite:///var/lib/paddock/notes.sqlite
 *   mariadb://user:password@host:3306/name?redis=host:6379
 *   postgresql://user:password@host:5432/name?redis=host:6379
 */
final readonly class Settings
{
    private const PORTS = ['mysql' => 3306, 'pgsql' => 5432];

    private function __construct(
        public string $driver,
        private string $source,
        private string $user,
        private string $password,
        public ?string $redis,
        public string $folder,
    ) {}

    public static function of(string $url, string $folder): self
    {
        if (!is_dir($folder) && !@mkdir($folder, 0700, true) && !is_dir($folder)) {
            throw new RuntimeException("The folder {$folder} cannot be made: Paddock keeps its data there.");
        }
        $parts = $url === '' ? ['scheme' => 'sqlite', 'path' => "{$folder}/notes.sqlite"] : self::parse($url);
        $driver = match ($parts['scheme'] ?? '') {
            'sqlite' => 'sqlite',
            'mariadb' => 'mysql',
            'postgresql', 'postgres' => 'pgsql',
            default => throw new RuntimeException('DATABASE_URL must begin with sqlite://, mariadb:// or postgresql://.'),
        };
        if (!in_array($driver, PDO::getAvailableDrivers(), true)) {
            throw new RuntimeException("DATABASE_URL needs PHP's extension pdo_{$driver}, which is not loaded.");
        }
        $path = rawurldecode($parts['path'] ?? '');
        if ($driver === 'sqlite') {
            return new self($driver, "sqlite:{$path}", '', '', null, $folder);
        }
        if (!isset($parts['host']) || trim($path, '/') === '') {
            throw new RuntimeException("DATABASE_URL must name a host and a database, such as {$parts['scheme']}://user:password@localhost/paddock.");
        }
        parse_str($parts['query'] ?? '', $more);
        return new self(
            $driver,
            sprintf('%s:host=%s;port=%d;dbname=%s', $driver, $parts['host'], (int) ($parts['port'] ?? self::PORTS[$driver]), trim($path, '/')) . ($driver === 'mysql' ? ';charset=utf8mb4' : ''),
            rawurldecode($parts['user'] ?? ''),
            rawurldecode($parts['pass'] ?? ''),
            is_string($more['redis'] ?? null) ? $more['redis'] : '127.0.0.1:6379',
            $folder,
        );
    }

    public function connect(): PDO
    {
        return new PDO($this->source, $this->user, $this->password, [
            PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC,
            PDO::ATTR_EMULATE_PREPARES => false, // numbers come back as numbers
            PDO::ATTR_TIMEOUT => 5,
        ]);
    }

    /** @return array<string, string> */
    private static function parse(string $url): array
    {
        // parse_url() takes a name without a host, sqlite:///path, for none.
        if (preg_match('~^sqlite://(/.+)$~', $url, $found) === 1) {
            return ['scheme' => 'sqlite', 'path' => $found[1]];
        }
        $parts = parse_url($url);
        return $parts === false ? [] : array_map(strval(...), $parts);
    }
}
