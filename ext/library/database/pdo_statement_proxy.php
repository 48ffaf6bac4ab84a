<?php

declare(strict_types=1);

namespace Swoole\Database;

use Iterator;
use IteratorAggregate;
use PDO;
use PDOStatement;

/**
 * A statement of a PDOProxy. When the connection was made again, it is prepared and bound again as it was.
 *
 * @mixin PDOStatement
 */
class PDOStatementProxy extends ObjectProxy implements IteratorAggregate
{
    /** @var PDOStatement */
    protected $__object;

    /** @var array<int, mixed> */
    protected array $setAttributeContext = [];

    /** @var list<mixed> */
    protected array $setFetchModeContext = [];

    /** @var array<int|string, list<mixed>> */
    protected array $bindParamContext = [];

    /** @var array<int|string, list<mixed>> */
    protected array $bindColumnContext = [];

    /** @var array<int|string, list<mixed>> */
    protected array $bindValueContext = [];

    /** @var int which of the parent's connections it belongs to */
    protected $parentRound;

    protected PDOProxy $parent;

    /** @param array<int, mixed> $options those that it was prepared with */
    public function __construct(PDOStatement $object, PDOProxy $parent, private array $options = [])
    {
        parent::__construct($object);
        $this->parent = $parent;
        $this->parentRound = $parent->getRound();
    }

    /** @return mixed */
    public function __call(string $name, array $arguments)
    {
        if (strcasecmp($name, 'execute') !== 0) {
            return $this->__object->{$name}(...$arguments);
        }
        $execute = function () use ($arguments): mixed {
            $this->follow();
            return $this->__object->execute(...$arguments);
        };
        return $this->parent->perform($execute, PDOProxy::reads($this->__object->queryString), $this);
    }

    public function getIterator(): Iterator
    {
        return $this->__object->getIterator();
    }

    public function setAttribute(int $attribute, mixed $value): bool
    {
        $this->setAttributeContext[$attribute] = $value;
        return $this->__object->setAttribute($attribute, $value);
    }

    public function setFetchMode(int $mode, mixed ...$params): bool
    {
        $this->setFetchModeContext = [$mode, ...$params];
        return $this->__object->setFetchMode($mode, ...$params);
    }

    public function bindParam($parameter, &$variable, $data_type = PDO::PARAM_STR, $length = 0, $driver_options = null): bool
    {
        $this->bindParamContext[$parameter] = [&$variable, $data_type, $length, $driver_options];
        return $this->__object->bindParam($parameter, $variable, $data_type, $length, $driver_options);
    }

    public function bindColumn($column, &$param, $type = null, $maxlen = null, $driverdata = null): bool
    {
        $this->bindColumnContext[$column] = [&$param, $type, $maxlen, $driverdata];
        return $this->__object->bindColumn($column, $param, ...self::given($type, $maxlen, $driverdata));
    }

    public function bindValue($parameter, $value, $data_type = PDO::PARAM_STR): bool
    {
        $this->bindValueContext[$parameter] = [$value, $data_type];
        return $this->__object->bindValue($parameter, $value, $data_type);
    }

    /** Goes over to the connection that the parent has now. */
    private function follow(): void
    {
        if ($this->parentRound === $this->parent->getRound()) {
            return;
        }
        $fresh = $this->parent->__getObject()->prepare($this->__object->queryString, $this->options);
        if ($fresh === false) {
            return;
        }
        parent::__construct($fresh);
        $this->parentRound = $this->parent->getRound();
        foreach ($this->setAttributeContext as $attribute => $value) {
            $fresh->setAttribute($attribute, $value);
        }
        if ($this->setFetchModeContext !== []) {
            $fresh->setFetchMode(...$this->setFetchModeContext);
        }
        foreach ($this->bindValueContext as $parameter => [$value, $type]) {
            $fresh->bindValue($parameter, $value, $type);
        }
        foreach ($this->bindParamContext as $parameter => &$bound) {
            $fresh->bindParam($parameter, $bound[0], $bound[1], $bound[2], $bound[3]);
        }
        unset($bound);
        foreach ($this->bindColumnContext as $column => &$bound) {
            $fresh->bindColumn($column, $bound[0], ...self::given($bound[1], $bound[2], $bound[3]));
        }
    }

    /** Arguments that PDO does not take as null are left out. @return list<mixed> */
    private static function given(mixed $type, mixed $length, mixed $options): array
    {
        return match (true) {
            $options !== null => [$type ?? PDO::PARAM_STR, $length ?? 0, $options],
            $length !== null => [$type ?? PDO::PARAM_STR, $length],
            $type !== null => [$type],
            default => [],
        };
    }
}
