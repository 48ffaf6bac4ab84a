<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use ReflectionClass;
use ReflectionProperty;

/** Static properties of the application's classes, each where it is declared, with the values that they had at one moment. */
final readonly class StaticProperties
{
    private const NOT_OF_APPLICATION = ['Stampede\\', 'Composer\\Autoload\\', 'ComposerAutoloader'];

    /** @param array<string, array{ReflectionProperty, mixed}> $values by "Class::$name" */
    private function __construct(private array $values) {}

    /** All classes but those of this package and of Composer's autoloader. */
    public static function isOfApplication(string $class): bool
    {
        foreach (self::NOT_OF_APPLICATION as $start) {
            if (str_starts_with($class, $start)) {
                return false;
            }
        }
        return true;
    }

    public static function all(): self
    {
        $values = [];
        foreach (get_declared_classes() as $name) {
            $class = new ReflectionClass($name);
            if ($class->isUserDefined() && self::isOfApplication($name)) {
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
     * Those of these properties that have another value in $later (another object, too, if it is equal), and those that are chosen.
     *
     * @param Closure(ReflectionProperty): bool $isChosen
     */
    public function thatDiffer(self $later, Closure $isChosen): self
    {
        $differs = static fn (array $value, string $name): bool => $value[1] !== $later->values[$name][1] || $isChosen($value[0]);
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
            // Carbon keeps its settings (the test time ...) in an object.
            $isSettings = is_object($value) && !$value instanceof Closure && str_starts_with($property->class, 'Carbon\\');
            $property->setValue(null, $isSettings ? clone $value : $value);
        }
    }

    /** @return list<string> */
    public function names(): array
    {
        return array_keys($this->values);
    }
}
