<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use ReflectionClass;
use ReflectionProperty;

/**
 * The properties of objects as they are at one moment, to be put back later; what the objects in them hold is left alone. What is replaced is given
 * to the caller, and lives until then: the destructor of an object may throw, exit or wait, and the rest would not be put back.
 */
final class ObjectSnapshot
{
    /** @return Closure(): list<mixed> that puts them back, and gives what was there instead */
    public static function keep(object ...$objects): Closure
    {
        $all = $setters = [];
        foreach ($objects as $object) {
            foreach (self::stateOf($object) as $class => [$state, $uninitialized]) {
                $setters[$class] ??= self::setterOf($class);
                $all[] = [$setters[$class], $object, $state, $uninitialized];
            }
        }
        return static function () use ($all): array {
            $replaced = [];
            foreach ($all as [$set, $object, $state, $uninitialized]) {
                $set($object, $state, $uninitialized, $replaced);
            }
            return $replaced;
        };
    }

    /** @return list<object> that are values of the object's properties */
    public static function objectsIn(object $object): array
    {
        return array_values(array_filter(array_merge([], ...array_values(array_map(array_values(...), array_column(self::stateOf($object), 0)))), is_object(...)));
    }

    /** @param class-string $class @return Closure a function of it, which alone sees its private properties */
    private static function setterOf(string $class): Closure
    {
        return Closure::bind(static function (object $object, array $state, array $uninitialized, array &$replaced): void {
            foreach ($state as $name => $value) {
                $present = $object->{$name} ?? null;
                if ($present !== $value) {
                    $replaced[] = $present;
                    $object->{$name} = $value;
                }
            }
            foreach ($uninitialized as $name) {
                if (isset($object->{$name})) {
                    $replaced[] = $object->{$name};
                    unset($object->{$name});
                }
            }
        }, null, $class);
    }

    /** @return array<class-string, array{array<string, mixed>, list<string>}> values, and names of properties without one, by the class that declares them */
    private static function stateOf(object $object): array
    {
        $states = [];
        for ($class = new ReflectionClass($object); $class !== false && !$class->isInternal(); $class = $class->getParentClass()) {
            $own = array_filter($class->getProperties(), static fn (ReflectionProperty $property): bool => $property->class === $class->name && !$property->isStatic() && !$property->isReadOnly());
            $values = $uninitialized = [];
            foreach ($own as $property) {
                if ($property->isInitialized($object)) {
                    $values[$property->name] = $property->getValue($object);
                } elseif ($property->hasType()) {
                    $uninitialized[] = $property->name;
                }
            }
            $states[$class->name] = [$values, $uninitialized];
        }
        return array_filter($states, static fn (array $state): bool => $state !== [[], []]);
    }
}
