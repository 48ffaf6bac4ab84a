<?php

declare(strict_types=1);

namespace Stampede\Diagnostics;

use ReflectionClass;
use ReflectionFunction;
use ReflectionFunctionAbstract;
use Stampede\Runner\StaticProperties;

/** How much static properties, static variables of functions and global variables of the application hold. */
final class StateSnapshot
{
    /** @return array<string, array{string, int}> unit and size by name */
    public static function now(): array
    {
        $sizes = [];
        foreach (get_declared_classes() as $name) {
            $class = new ReflectionClass($name);
            if ($class->isUserDefined() && StaticProperties::isOfApplication($name)) {
                self::ofClass($class, $sizes);
            }
        }
        foreach (get_defined_functions()['user'] as $name) {
            self::ofFunction(new ReflectionFunction($name), "{$name}()", $sizes);
        }
        foreach ($GLOBALS as $name => $value) {
            if (!str_starts_with($name, '_') && $name !== 'argv' && $name !== 'argc') {
                self::note("\${$name}", $value, $sizes);
            }
        }
        return $sizes;
    }

    /**
     * @param array<string, array{string, int}> $before
     * @param array<string, array{string, int}> $after
     * @return array<string, string> what was added, by name
     */
    public static function growth(array $before, array $after): array
    {
        return array_map(static fn (array $more): string => "{$more[1]} more {$more[0]}", self::more($before, $after));
    }

    /**
     * @param array<string, array{string, int}> $before
     * @param array<string, array{string, int}> $after
     * @return array<string, array{string, int}> unit and growth of what is larger, by name
     */
    public static function more(array $before, array $after): array
    {
        $grown = [];
        foreach ($after as $name => [$unit, $size]) {
            $more = $size - ($before[$name][1] ?? 0);
            if ($more > 0) {
                $grown[$name] = [$unit, $more];
            }
        }
        return $grown;
    }

    /**
     * @param ReflectionClass<object> $class
     * @param array<string, array{string, int}> $sizes
     */
    private static function ofClass(ReflectionClass $class, array &$sizes): void
    {
        foreach ($class->getProperties(\ReflectionProperty::IS_STATIC) as $property) {
            if ($property->getDeclaringClass()->name === $class->name && $property->isInitialized()) {
                self::note("{$class->name}::\${$property->name}", $property->getValue(), $sizes);
            }
        }
        foreach ($class->getMethods() as $method) {
            if ($method->getDeclaringClass()->name === $class->name) {
                self::ofFunction($method, "{$class->name}::{$method->name}()", $sizes);
            }
        }
    }

    /** @param array<string, array{string, int}> $sizes */
    private static function ofFunction(ReflectionFunctionAbstract $function, string $name, array &$sizes): void
    {
        foreach ($function->isUserDefined() ? $function->getStaticVariables() : [] as $variable => $value) {
            self::note("{$name} static \${$variable}", $value, $sizes);
        }
    }

    /** @param array<string, array{string, int}> $sizes */
    private static function note(string $name, mixed $value, array &$sizes): void
    {
        $noted = match (true) {
            is_array($value) => ['entries', count($value)],
            is_string($value) => ['bytes', strlen($value)],
            is_int($value) => ['counted', $value],
            $value instanceof \Countable && !$value instanceof \Traversable => null,
            $value instanceof \ArrayObject, $value instanceof \SplObjectStorage, $value instanceof \WeakMap => ['entries', count($value)],
            default => null,
        };
        if ($noted !== null) {
            $sizes[$name] = $noted;
        }
    }
}
