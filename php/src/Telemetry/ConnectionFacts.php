<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use PDO;
use Throwable;
use WeakMap;

/** Where the connection of an object leads to, in the attributes of OpenTelemetry. Drivers do not tell that later, so it is remembered when connections and statements are made. */
final class ConnectionFacts
{
    private const SYSTEMS = ['mysql' => 'mysql', 'pgsql' => 'postgresql', 'sqlite' => 'sqlite', 'dblib' => 'microsoft.sql_server', 'sqlsrv' => 'microsoft.sql_server', 'oci' => 'oracle.db', 'firebird' => 'firebirdsql'];

    /** @var WeakMap<object, array<non-empty-string, string|int>> */
    private WeakMap $known;
    /** @var WeakMap<object, string> of prepared statements that do not tell it */
    private WeakMap $statements;
    /** @var WeakMap<object, array<string, string>> of connections of pgsql: statements have names there */
    private WeakMap $named;

    public function __construct()
    {
        $this->known = new WeakMap();
        $this->statements = new WeakMap();
        $this->named = new WeakMap();
    }

    /** @return array<non-empty-string, string|int> */
    public function ofPdo(object $pdo): array
    {
        return $this->known[$pdo] ??= ['db.system.name' => $pdo instanceof PDO ? self::system(self::driver($pdo)) : 'other_sql'];
    }

    /** @return array<non-empty-string, string|int> */
    public function of(object $object, string $system): array
    {
        return $this->known[$object] ?? ['db.system.name' => $system];
    }

    /** The object, a statement or a result, has the connection of the other one. */
    public function share(object $object, object $with): void
    {
        if (isset($this->known[$with])) {
            $this->known[$object] = $this->known[$with];
        }
    }

    /** @param array<non-empty-string, string|int> $facts */
    public function remember(object $object, array $facts): void
    {
        $this->known[$object] = $facts;
    }

    public function rememberStatement(object $object, string $text): void
    {
        $this->statements[$object] = $text;
    }

    public function statement(object $object): string
    {
        return $this->statements[$object] ?? '';
    }

    public function rememberNamed(object $connection, string $name, string $text): void
    {
        $this->named[$connection] = [$name => $text] + array_slice($this->named[$connection] ?? [], 0, 255, true);
    }

    public function named(object $connection, string $name): string
    {
        return $this->named[$connection][$name] ?? '';
    }

    /** @return array<non-empty-string, string|int> */
    public static function ofDsn(string $dsn): array
    {
        [$driver, $rest] = explode(':', $dsn, 2) + [1 => ''];
        $facts = ['db.system.name' => self::system($driver)];
        if ($driver === 'sqlite') {
            return $rest === '' || $rest === ':memory:' ? $facts : $facts + ['db.namespace' => basename($rest)];
        }
        preg_match_all('/(host|port|dbname|unix_socket)\s*=\s*([^;\s]*)/', $rest, $parts, PREG_SET_ORDER);
        $values = array_column($parts, 2, 1);
        return $facts + self::address($values['unix_socket'] ?? $values['host'] ?? '', (int) ($values['port'] ?? 0), $driver === 'pgsql' ? 5432 : 3306)
            + (($values['dbname'] ?? '') === '' ? [] : ['db.namespace' => $values['dbname']]);
    }

    /** @return array<non-empty-string, string|int> */
    public static function address(string $host, int $port, int $usual): array
    {
        if ($host === '') {
            return [];
        }
        return str_starts_with($host, '/') ? ['server.address' => $host] : ['server.address' => $host, 'server.port' => $port > 0 ? $port : $usual];
    }

    private static function system(string $driver): string
    {
        return self::SYSTEMS[$driver] ?? 'other_sql';
    }

    private static function driver(PDO $pdo): string
    {
        try {
            return (string) $pdo->getAttribute(PDO::ATTR_DRIVER_NAME);
        } catch (Throwable) { // its constructor has failed
            return '';
        }
    }
}
