<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Closure;

/** The properties of objects as they are at one moment, to be put back later; what the objects in them hold is left alone. */
final class ObjectStates
{
    /** @return Closure(): void that puts them back */
    public static function keep(object ...$objects): Closure
    {
        $states = array_map(self::stateOf(...), $objects);
        return static function () use ($objects, $states): void {
            foreach ($objects as $i => $object) {
                foreach ($states[$i] as $class => $state) {
                    Closure::bind(function () use ($state): void {
                        foreach ($state as $name => $value) {
                            $this->{$name} = $value;
                        }
                    }, $object, $class)();
                }
            }
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
