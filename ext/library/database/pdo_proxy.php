<?php

declare(strict_types=1);

namespace Swoole\Database;

use PDO;
use PDOException;
use PDOStatement;
use Stampede\Database\Reconnects;
use Throwable;
use WeakMap;

/**
 * A PDO that is made again when its connection was lost, outside of transactions.
 *
 * @mixin PDO
 */
class PDOProxy extends ObjectProxy
{
    use Reconnects;

    /** @var PDO */
    protected $__object;

    /** @var array<int, mixed> */
    protected array $setAttributeContext = [];

    /** @var callable */
    protected $constructor;

    /** 1 after beginTransaction(), until the transaction ends. */
    protected int $inTransaction = 0;

    /** @var WeakMap<PDOStatementProxy, true> those that somebody still has */
    private WeakMap $statements;

    /** @param callable(): PDO $constructor */
    public function __construct(callable $constructor)
    {
        parent::__construct($constructor());
        $this->constructor = $constructor;
        $this->statements = new WeakMap();
        $this->usedAt = hrtime(true);
    }

    /** @return mixed */
    public function __call(string $name, array $arguments)
    {
        $method = strtolower($name);
        $isRepeatable = match ($method) {
            'query', 'exec' => is_string($arguments[0] ?? null) && self::reads($arguments[0]),
            'prepare', 'begintransaction', 'quote', 'getattribute' => true,
            default => false,
        };
        if (in_array($method, ['errorcode', 'errorinfo'], true)) {
            return $this->__object->{$name}(...$arguments);
        }
        try {
            $result = $this->perform(fn () => $this->__object->{$name}(...$arguments), $isRepeatable);
        } finally {
            if ($method === 'commit' || $method === 'rollback') {
                $this->inTransaction = 0;
                $this->leave();
            }
        }
        if ($method === 'begintransaction' && $result === true) {
            $this->inTransaction = 1;
        }
        if (!$result instanceof PDOStatement) {
            return $result;
        }
        $statement = new PDOStatementProxy($result, $this, $method === 'prepare' && is_array($arguments[1] ?? null) ? $arguments[1] : []);
        $this->statements[$statement] = true;
        return $statement;
    }

    public function reconnect(): void
    {
        parent::__construct(($this->constructor)());
        $this->round++;
        $this->inTransaction = 0;
        foreach ($this->setAttributeContext as $attribute => $value) {
            $this->__object->setAttribute($attribute, $value);
        }
    }

    public function setAttribute(int $attribute, mixed $value): bool
    {
        $this->setAttributeContext[$attribute] = $value;
        return $this->perform(fn (): bool => $this->__object->setAttribute($attribute, $value), true);
    }

    public function inTransaction(): bool
    {
        return $this->lostInside || (!$this->stale && $this->isInside());
    }

    /** Rolls back what was begun and not ended, and drops results that nobody has read. */
    public function reset(): void
    {
        $this->closeCursors();
        if ($this->inTransaction()) {
            try {
                $this->__call('rollBack', []);
            } catch (Throwable) {
                $this->stale = true;
            }
        }
        $this->inTransaction = 0;
    }

    /** @internal for pools */
    public function cleanUp(string $sql): void
    {
        try {
            $this->stale = $this->stale || $this->__object->exec($sql) === false;
        } catch (Throwable) {
            $this->stale = true;
        }
    }

    /** The next one could not ask anything while a result of before is under way. */
    private function closeCursors(): void
    {
        foreach ($this->statements as $statement => $isThere) {
            try {
                $statement->__getObject()->closeCursor();
            } catch (Throwable) {
                $this->stale = true;
            }
        }
        $this->statements = new WeakMap();
    }

    protected function isInside(): bool
    {
        return $this->__object->inTransaction();
    }

    protected function ping(): bool
    {
        try {
            return @$this->__object->query('SELECT 1') !== false;
        } catch (Throwable) {
            return false;
        }
    }

    protected function lastError(object $source): ?Throwable
    {
        [$state, $code, $message] = $source->errorInfo() + [null, null, null];
        return $message === null || $message === '' ? null : new PDOException("SQLSTATE[$state]: $message", (int) $code);
    }
}
