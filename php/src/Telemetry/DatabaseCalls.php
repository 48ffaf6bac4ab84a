<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use PDO;
use PDOStatement;

/** Calls of PDO, mysqli and pgsql in the words of OpenTelemetry. */
final readonly class DatabaseCalls
{
    private const FUNCTIONS = '/^(?:PDO::|PDOStatement::|mysqli::|mysqli_stmt::|mysqli_|pg_)/';
    private const WORDS = ['begintransaction' => 'BEGIN', 'begin_transaction' => 'BEGIN', 'commit' => 'COMMIT', 'rollback' => 'ROLLBACK'];
    private const CONNECTS = ['__construct' => true, 'connect' => true, 'real_connect' => true, 'pconnect' => true];

    public function __construct(private StatementText $statements, private ConnectionFacts $connections) {}

    public static function isMeant(string $function): bool
    {
        return preg_match(self::FUNCTIONS, $function) === 1;
    }

    /** @param list<mixed> $arguments */
    public function describe(string $function, ?object $object, array $arguments): ?ObservedCall
    {
        $name = self::shortName($function);
        if ($object === null && str_starts_with($function, 'mysqli_') && is_object($arguments[0] ?? null)) {
            $object = array_shift($arguments); // the same as a method
        }
        if (isset(self::CONNECTS[$name])) {
            return new ObservedCall('CONNECT', self::factsOfConnect($function, $arguments) + ['db.operation.name' => 'CONNECT']);
        }
        if (str_starts_with($function, 'pg_')) {
            return $this->describePgsql($name, $arguments);
        }
        if ($object === null) {
            return null;
        }
        $facts = $object instanceof PDO || $object instanceof PDOStatement ? $this->connections->ofPdo($object) : $this->connections->of($object, 'mysql');
        if (isset(self::WORDS[$name])) {
            return new ObservedCall(self::WORDS[$name], $facts + ['db.operation.name' => self::WORDS[$name]]);
        }
        $text = match (true) {
            $object instanceof PDOStatement => $object->queryString,
            $name === 'execute' => $this->connections->statement($object),
            default => self::text($arguments, 0),
        };
        return $this->ofStatement($text, $facts, $name === 'prepare' ? 'PREPARE ' : '');
    }

    /**
     * What the call has made is known then.
     *
     * @param list<mixed> $arguments
     */
    public function learn(string $function, ?object $object, array $arguments, mixed $result): void
    {
        $name = self::shortName($function);
        if ($object === null && str_starts_with($function, 'mysqli_') && is_object($arguments[0] ?? null)) {
            $object = array_shift($arguments);
        }
        if (isset(self::CONNECTS[$name])) {
            $made = is_object($result) ? $result : $object;
            $made === null || $this->connections->remember($made, self::factsOfConnect($function, $arguments));
        } elseif ($function === 'pg_prepare') {
            $connection = is_object($arguments[0] ?? null) ? array_shift($arguments) : null;
            $connection === null || $this->connections->rememberNamed($connection, self::text($arguments, 0), self::text($arguments, 1));
        } elseif ($name === 'prepare' && $object !== null && is_string($arguments[0] ?? null)) {
            $statement = is_object($result) ? $result : $object; // mysqli_stmt::prepare() gives true
            $this->connections->share($statement, $object);
            $this->connections->rememberStatement($statement, $arguments[0]);
        } elseif ($object instanceof PDO && $result instanceof PDOStatement) {
            $this->connections->share($result, $object);
        }
    }

    /** @param list<mixed> $arguments */
    private static function text(array $arguments, int $at): string
    {
        return is_scalar($arguments[$at] ?? null) ? (string) $arguments[$at] : '';
    }

    private static function shortName(string $function): string
    {
        return strtolower((string) preg_replace('/^(?:.*::|mysqli_stmt_|mysqli_|pg_)/', '', $function));
    }

    /**
     * @param list<mixed> $arguments
     * @return array<non-empty-string, string|int>
     */
    private static function factsOfConnect(string $function, array $arguments): array
    {
        $first = is_string($arguments[0] ?? null) ? $arguments[0] : '';
        if (str_starts_with($function, 'PDO::')) {
            return ConnectionFacts::ofDsn($first);
        }
        if (str_starts_with($function, 'pg_')) {
            return ConnectionFacts::ofDsn("pgsql:{$first}");
        }
        $database = is_string($arguments[3] ?? null) ? $arguments[3] : '';
        return ['db.system.name' => 'mysql'] + ConnectionFacts::address(preg_replace('/^p:/', '', $first) ?? '', (int) ($arguments[4] ?? 0), 3306)
            + ($database === '' ? [] : ['db.namespace' => $database]);
    }

    /** @param list<mixed> $arguments */
    private function describePgsql(string $name, array $arguments): ObservedCall
    {
        $connection = is_object($arguments[0] ?? null) ? array_shift($arguments) : null;
        $facts = $connection === null ? ['db.system.name' => 'postgresql'] : $this->connections->of($connection, 'postgresql');
        $first = self::text($arguments, 0);
        $text = match ($name) {
            'prepare' => self::text($arguments, 1),
            'execute' => $connection === null ? '' : $this->connections->named($connection, $first),
            default => $first,
        };
        return $this->ofStatement($text, $facts, $name === 'prepare' ? 'PREPARE ' : '');
    }

    /** @param array<non-empty-string, string|int> $facts */
    private function ofStatement(string $text, array $facts, string $prefix): ObservedCall
    {
        if ($text === '') {
            return new ObservedCall($prefix . 'EXECUTE', $facts);
        }
        $statement = $this->statements->describe($text, (string) $facts['db.system.name']);
        return new ObservedCall($prefix . $statement['summary'], $facts + [
            'db.operation.name' => $statement['operation'],
            'db.query.summary' => $statement['summary'],
            'db.query.text' => $statement['text'],
        ]);
    }
}
