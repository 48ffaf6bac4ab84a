<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use ReflectionClass;
use ReflectionProperty;
use Stampede\Launcher\StateSizes;

/** Static properties of the application's classes, each where it is declared, with the values that they had at one moment. */
final readonly class StaticValues
{
    /** @param array<string, array{ReflectionProperty, mixed}> $values by "Class::$name" */
    private function __construct(private array $values) {}

    public static function all(): self
    {
        $values = [];
        foreach (get_declared_classes() as $name) {
            $class = new ReflectionClass($name);
            if ($class->isUserDefined() && !StateSizes::isLeftOut($name)) {
                foreach ($class->getProperties(ReflectionProperty::IS_STATIC) as $property) {
                    if ($property->class === $name && $property->isInitialized()) {
                        $values["{$name}::\${$property->name}"] = [$property, $property->getValue()];
                    }
                }
            }
        }
        return new self($values);
    }

    /**
     * Those of these properties that have another value in $later (another object, too, if it is equal), and those that are named.
     *
     * @param list<string> $names
     */
    public function thatDiffer(self $later, array $names): self
    {
        $differs = static fn (array $value, string $name): bool => $value[1] !== $later->values[$name][1] || in_array($name, $names, true);
        return new self(array_filter($this->values, $differs, ARRAY_FILTER_USE_BOTH));
    }

    /** The same properties with their present values. */
    public function now(): self
    {
        return new self(array_map(static fn (array $value): array => [$value[0], $value[0]->getValue()], $this->values));
    }

    public function install(): void
    {
        foreach ($this->values as [$property, $value]) {
            $property->setValue(null, $value);
        }
    }

    /** @return list<string> */
    public function names(): array
    {
        return array_keys($this->values);
    }
}
