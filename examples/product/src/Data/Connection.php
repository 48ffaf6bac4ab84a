<?php

declare(strict_types=1);

namespace Paddock\Data;

use LogicException;
use PDO;
use PDOStatement;
use Swoole\Database\PDOProxy;

/** A connection for one coroutine, as long as that has it. */
final readonly class Connection
{
    public function __construct(private PDO|PDOProxy $pdo) {}

    /** @return list<array<string, mixed>> */
    public function rows(string $sql, int|string|null ...$values): array
    {
        /** @var list<array<string, mixed>> */
        return $this->execute($sql, $values)->fetchAll();
    }

    /** @return array<string, mixed>|null */
    public function row(string $sql, int|string|null ...$values): ?array
    {
        return $this->rows($sql, ...$values)[0] ?? null;
    }

    /** @return int how many rows it has changed */
    public function run(string $sql, int|string|null ...$values): int
    {
        return $this->execute($sql, $values)->rowCount();
    }

    /**
     * @template T
     * @param callable(self): T $work
     * @return T
     */
    public function transaction(callable $work): mixed
    {
        $this->pdo->beginTransaction();
        try {
            $result = $work($this);
            $this->pdo->commit();
            return $result;
        } catch (\Throwable $failure) {
            $this->pdo->rollBack();
            throw $failure;
        }
    }

    /**
     * @param array<int|string|null> $values
     * @return PDOStatement or a proxy with its methods
     */
    private function execute(string $sql, array $values): object
    {
        $statement = $this->pdo->prepare($sql) ?: throw new LogicException('Errors of PDO are to be exceptions.');
        $statement->execute(array_values($values));
        return $statement;
    }
}
