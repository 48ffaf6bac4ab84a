<?php

declare(strict_types=1);

namespace Stampede\Library;

use InvalidArgumentException;
use Swoole\ArrayObject;
use Swoole\MultibyteStringObject;
use Swoole\StringObject;
use Swoole\Table;

/**
 * The functions that make objects of values, and swoole_table().
 *
 * @internal
 */
final class ValueFunctions
{
    public static function string(string $string = ''): StringObject
    {
        return new StringObject($string);
    }

    public static function multibyteString(string $string = ''): MultibyteStringObject
    {
        return new MultibyteStringObject($string);
    }

    /** @param array<mixed> $array */
    public static function array(array $array = []): ArrayObject
    {
        return new ArrayObject($array);
    }

    public static function arrayList(mixed ...$values): ArrayObject
    {
        return new ArrayObject($values);
    }

    /** @param string $fields "name:string:64,age:int,weight:float", the types also by their first letter */
    public static function table(int $size, string $fields): Table
    {
        $table = new Table($size);
        foreach (explode(',', $fields) as $field) {
            [$name, $type, $length] = array_map('trim', explode(':', $field)) + ['', '', '0'];
            match (strtolower($type)) {
                'i', 'int' => $table->column($name, Table::TYPE_INT),
                'f', 'float' => $table->column($name, Table::TYPE_FLOAT),
                's', 'str', 'string' => $table->column($name, Table::TYPE_STRING, (int) $length),
                default => throw new InvalidArgumentException(
                    "the field '{$field}' of swoole_table() must be like 'name:string:64', 'age:int' or 'weight:float'",
                ),
            };
        }
        $table->create();
        return $table;
    }
}
