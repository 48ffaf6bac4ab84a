<?php

declare(strict_types=1);

namespace Swoole;

use TypeError;

/** Passes everything on to the object inside. */
class ObjectProxy
{
    /** @var object */
    protected $__object;

    public function __construct(object $object)
    {
        $this->__object = $object;
    }

    /** @return object the one inside */
    public function __getObject()
    {
        return $this->__object;
    }

    /** @return mixed */
    public function __get(string $name)
    {
        return $this->__object->{$name};
    }

    public function __set(string $name, mixed $value): void
    {
        $this->__object->{$name} = $value;
    }

    /** @return bool */
    public function __isset(string $name)
    {
        return isset($this->__object->{$name});
    }

    public function __unset(string $name): void
    {
        unset($this->__object->{$name});
    }

    /** @return mixed */
    public function __call(string $name, array $arguments)
    {
        return $this->__object->{$name}(...$arguments);
    }

    /** @return mixed */
    public function __invoke(mixed ...$arguments)
    {
        $object = $this->__object;
        if (!is_callable($object)) {
            throw new TypeError($object::class . ' cannot be called as a function.');
        }
        return $object(...$arguments);
    }
}
