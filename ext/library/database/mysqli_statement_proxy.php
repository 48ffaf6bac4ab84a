<?php

declare(strict_types=1);

namespace Swoole\Database;

use mysqli_stmt;

/**
 * A statement of a MysqliProxy. When the connection was made again, it is prepared and bound again as it was.
 *
 * @mixin mysqli_stmt
 */
class MysqliStatementProxy extends ObjectProxy
{
    public const IO_METHOD_REGEX = '/^close|execute|fetch|prepare$/i';

    /** @var mysqli_stmt */
    protected $__object;

    /** @var array<int, int> */
    protected array $attrSetContext = [];

    /** @var list<mixed> */
    protected array $bindParamContext = [];

    /** @var list<mixed> */
    protected array $bindResultContext = [];

    /** Which of the parent's connections it belongs to. */
    protected int $parentRound;

    protected ?string $queryString;

    protected MysqliProxy $parent;

    /** $queryString is null as long as nothing was prepared. */
    public function __construct(mysqli_stmt $object, ?string $queryString, MysqliProxy $parent)
    {
        parent::__construct($object);
        $this->queryString = $queryString;
        $this->parent = $parent;
        $this->parentRound = $parent->getRound();
    }

    /** @return mixed */
    public function __call(string $name, array $arguments)
    {
        $method = strtolower($name);
        if ($method !== 'execute' && $method !== 'prepare') {
            return $this->__object->{$name}(...$arguments);
        }
        if ($method === 'prepare' && is_string($arguments[0] ?? null)) {
            $this->queryString = $arguments[0];
            $this->bindParamContext = $this->bindResultContext = [];
        }
        $call = function () use ($name, $arguments): mixed {
            $this->follow();
            return $this->__object->{$name}(...$arguments);
        };
        $result = $this->parent->perform($call, $method === 'prepare' || MysqliProxy::reads((string) $this->queryString), $this);
        if (preg_match('/^\s*(?:INSERT|UPDATE|DELETE|REPLACE|SELECT)\b/i', (string) $this->queryString) !== 1) {
            $this->parent->isUnclear();
        }
        return $result;
    }

    public function attr_set(int $attr, int $mode): bool
    {
        $this->attrSetContext[$attr] = $mode;
        return $this->__object->attr_set($attr, $mode);
    }

    public function bind_param(string $types, mixed &...$arguments): bool
    {
        $this->bindParamContext = [$types, $arguments];
        return $this->__object->bind_param($types, ...$arguments);
    }

    public function bind_result(mixed &...$arguments): bool
    {
        $this->bindResultContext = $arguments;
        return $this->__object->bind_result(...$arguments);
    }

    /** Goes over to the connection that the parent has now. */
    private function follow(): void
    {
        if ($this->parentRound === $this->parent->getRound()) {
            return;
        }
        $connection = $this->parent->__getObject();
        $fresh = $this->queryString === null ? $connection->stmt_init() : $connection->prepare($this->queryString);
        if ($fresh === false) {
            return;
        }
        parent::__construct($fresh);
        $this->parentRound = $this->parent->getRound();
        foreach ($this->attrSetContext as $attr => $mode) {
            $fresh->attr_set($attr, $mode);
        }
        if ($this->bindParamContext !== []) {
            $fresh->bind_param($this->bindParamContext[0], ...$this->bindParamContext[1]);
        }
        if ($this->bindResultContext !== []) {
            $fresh->bind_result(...$this->bindResultContext);
        }
    }
}
