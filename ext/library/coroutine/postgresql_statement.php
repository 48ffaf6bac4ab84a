<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use PgSql\Result;

class_alias(PostgreSQLStatement::class, 'Swoole\Coroutine\PostgreSQL\Statement');

/** A result, or a prepared statement with its last one. Values are int, float and bool where the column is. */
class PostgreSQLStatement
{
    private const INTEGERS = ['int2', 'int4', 'int8', 'oid'];

    private const FLOATS = ['float4', 'float8'];

    /** @var string|null */
    public $error;

    /** @var int */
    public $errCode = 0;

    /** @var int */
    public $resultStatus = 0;

    /** @var array<string, string|null>|null */
    public $resultDiag;

    /** @var list<array{severity: string, message_primary: string}>|null */
    public $notices;

    private int $row = 0;

    /** @var list<string>|null types of the columns */
    private ?array $types = null;

    /** @internal made by PostgreSQL */
    public function __construct(
        private PostgreSQL $client,
        private ?string $name,
        private ?Result $result,
        private bool $isOwned = false,
    ) {
        $this->read();
    }

    public function __destruct()
    {
        if ($this->name !== null && $this->isOwned) {
            $this->client->forget($this->name);
        }
    }

    /** @param array<mixed> $params */
    public function execute(array $params = []): bool
    {
        if ($this->name === null) {
            return false;
        }
        $this->result = $this->client->runPrepared($this->name, $params);
        $this->row = 0;
        $this->types = null;
        $this->read();
        return $this->result !== null;
    }

    /** The rows that were not fetched yet. @return list<array<mixed>>|false */
    public function fetchAll(int $result_type = SW_PGSQL_ASSOC): array|false
    {
        if ($this->result === null) {
            return false;
        }
        $rows = [];
        while (($row = $this->fetchArray(null, $result_type)) !== false) {
            $rows[] = $row;
        }
        return $rows;
    }

    public function affectedRows(): int
    {
        return $this->result === null ? 0 : pg_affected_rows($this->result);
    }

    public function numRows(): int
    {
        return $this->result === null ? 0 : pg_num_rows($this->result);
    }

    public function fieldCount(): int
    {
        return $this->result === null ? 0 : pg_num_fields($this->result);
    }

    /** The row of that number, or the next one. @param array<mixed> $ctor_params */
    public function fetchObject(?int $row = null, ?string $class_name = null, array $ctor_params = []): object|false
    {
        $values = $this->fetchArray($row, SW_PGSQL_ASSOC);
        if ($values === false || $class_name === null) {
            return $values === false ? false : (object) $values;
        }
        $class = new \ReflectionClass($class_name);
        $object = $class->newInstanceWithoutConstructor();
        foreach ($values as $name => $value) {
            $object->{$name} = $value;
        }
        $class->getConstructor()?->invokeArgs($object, $ctor_params);
        return $object;
    }

    /** The row of that number, or the next one. @return array<string, mixed>|false */
    public function fetchAssoc(?int $row = null, int $result_type = SW_PGSQL_ASSOC): array|false
    {
        return $this->fetchArray($row, $result_type);
    }

    /** The row of that number, or the next one. @return array<mixed>|false */
    public function fetchArray(?int $row = null, int $result_type = SW_PGSQL_BOTH): array|false
    {
        $number = $row ?? $this->row;
        if ($this->result === null || $number >= $this->numRows()) {
            return false;
        }
        $this->row = $number + 1;
        $values = pg_fetch_array($this->result, $number, PGSQL_NUM);
        return $values === false ? false : $this->shape($values, $result_type);
    }

    /** The row of that number, or the next one. @return list<mixed>|false */
    public function fetchRow(?int $row = null, int $result_type = SW_PGSQL_NUM): array|false
    {
        return $this->fetchArray($row, $result_type);
    }

    /** @param list<string|null> $values @return array<mixed> */
    private function shape(array $values, int $result_type): array
    {
        $row = [];
        foreach ($values as $i => $value) {
            $value = $value === null ? null : $this->typed($i, $value);
            if (($result_type & SW_PGSQL_NUM) !== 0) {
                $row[$i] = $value;
            }
            if (($result_type & SW_PGSQL_ASSOC) !== 0) {
                $row[pg_field_name($this->result, $i)] = $value;
            }
        }
        return $row;
    }

    private function typed(int $column, string $value): mixed
    {
        $this->types ??= array_map(fn (int $i): string => self::typeOf($this->result, $i), range(0, max(0, $this->fieldCount() - 1)));
        $type = $this->types[$column];
        return match (true) {
            in_array($type, self::INTEGERS, true) => (int) $value,
            in_array($type, self::FLOATS, true) && is_numeric($value) => (float) $value,
            $type === 'bool' => $value === 't',
            default => $value,
        };
    }

    /** By number: the names would be asked from the server. */
    private static function typeOf(Result $result, int $column): string
    {
        return [16 => 'bool', 20 => 'int8', 21 => 'int2', 23 => 'int4', 26 => 'oid', 700 => 'float4', 701 => 'float8'][(int) pg_field_type_oid($result, $column)] ?? '';
    }

    private function read(): void
    {
        $this->error = $this->client->error;
        $this->errCode = $this->client->errCode;
        $this->resultStatus = $this->client->resultStatus;
        $this->resultDiag = $this->client->resultDiag;
        $this->notices = $this->client->notices;
    }
}
