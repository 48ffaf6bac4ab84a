<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Closure;

/**
 * The properties of objects as they are at one moment, to be put back later; what the objects in them hold is left alone. What is replaced is given
 * to the caller, and lives until then: the destructor of an object may throw, exit or wait, and the rest would not be put back.
 */
final class ObjectStates
{
    /** @return Closure(): list<mixed> that puts them back, and gives what was there instead */
    public static function keep(object ...$objects): Closure
    {
        $states = array_map(self::stateOf(...), $objects);
        return static function () use ($objects, $states): array {
            $replaced = [];
            foreach ($objects as $i => $object) {
                foreach ($states[$i] as $class => $state) {
                    Closure::bind(function () use ($state, &$replaced): void {
                        foreach ($state as $name => $value) {
                            $replaced[] = $this->{$name} ?? null;
                            $this->{$name} = $value;
                        }
                    }, $object, $class)();
                }
            }
            return $replaced;
        };
    }

    /** @return array<class-string, array<string, mixed>> by the class that sees the properties: private ones belong to the class that declares them */
    private static function stateOf(object $object): array
    {
        $states = $known = [];
        for ($class = $object::class; $class !== false; $class = get_parent_class($class)) {
            $seen = Closure::bind(fn (): array => get_object_vars($this), $object, $class)();
            $readOnly = array_filter((new \ReflectionClass($class))->getProperties(), static fn (\ReflectionProperty $property): bool => $property->isReadOnly());
            $new = array_diff_key($seen, $known, array_flip(array_map(static fn (\ReflectionProperty $property): string => $property->name, $readOnly)));
            if ($new !== []) {
                $states[$class] = $new;
            }
            $known += $seen;
        }
        return $states;
    }
}
