<?php

declare(strict_types=1);

namespace Swoole;

use ArrayAccess;
use Countable;
use Iterator;
use RuntimeException;
use Serializable;
use Stringable;
use Swoole\Exception\ArrayKeyNotExists;

/**
 * An array with methods. Those that give a part of it make a text a StringObject and an array an ArrayObject; those that sort,
 * set and remove change this object and give it back.
 *
 * @implements ArrayAccess<mixed, mixed>
 * @implements Iterator<mixed, mixed>
 */
class ArrayObject implements ArrayAccess, Serializable, Countable, Iterator
{
    /** @var array<mixed> */
    protected $array;

    /** @param array<mixed> $array */
    public function __construct(array $array = [])
    {
        $this->array = $array;
    }

    /** @return array<mixed> */
    public function __toArray(): array
    {
        return $this->array;
    }

    /** @return array<mixed> */
    public function __serialize(): array
    {
        return $this->array;
    }

    /** @param array<mixed> $data */
    public function __unserialize(array $data): void
    {
        $this->array = $data;
    }

    /** @param array<mixed> $array */
    public static function from(array $array = []): static
    {
        return new static($array);
    }

    /** @return array<mixed> */
    public function toArray(): array
    {
        return $this->array;
    }

    public function isEmpty(): bool
    {
        return $this->array === [];
    }

    public function count(): int
    {
        return count($this->array);
    }

    // ---- walking through it ---------------------------------------------------------------------

    /** @return mixed */
    #[\ReturnTypeWillChange]
    public function current()
    {
        return current($this->array);
    }

    /** @return mixed */
    #[\ReturnTypeWillChange]
    public function key()
    {
        return key($this->array);
    }

    public function valid(): bool
    {
        return key($this->array) !== null;
    }

    /** @return mixed the first value */
    #[\ReturnTypeWillChange]
    public function rewind()
    {
        return reset($this->array);
    }

    /** @return mixed the next value */
    #[\ReturnTypeWillChange]
    public function next()
    {
        return next($this->array);
    }

    // ---- single values ----------------------------------------------------------------------------

    /**
     * @return ArrayObject|StringObject|mixed
     * @throws ArrayKeyNotExists
     */
    public function get(mixed $key)
    {
        $this->require($key);
        return static::detectType($this->array[$key]);
    }

    /** @return ArrayObject|StringObject|mixed */
    public function getOr(mixed $key, mixed $default = null)
    {
        return array_key_exists($key, $this->array) ? static::detectType($this->array[$key]) : $default;
    }

    /** @return ArrayObject|StringObject|mixed null when it is empty */
    public function last()
    {
        return $this->array === [] ? null : static::detectType($this->array[array_key_last($this->array)]);
    }

    /** @return int|string|null */
    public function firstKey()
    {
        return array_key_first($this->array);
    }

    /** @return int|string|null */
    public function lastKey()
    {
        return array_key_last($this->array);
    }

    /** @return ArrayObject|StringObject|mixed null when it is empty */
    public function first()
    {
        return $this->array === [] ? null : static::detectType($this->array[array_key_first($this->array)]);
    }

    public function set(mixed $key, mixed $value): self
    {
        $this->array[$key] = $value;
        return $this;
    }

    public function delete(mixed $key): self
    {
        unset($this->array[$key]);
        return $this;
    }

    /** Takes out a value where it stands first, or with $loop wherever it stands; the other keys stay. */
    public function remove(mixed $value, bool $strict = true, bool $loop = false): self
    {
        do {
            $key = array_search($value, $this->array, $strict);
            if ($key === false) {
                break;
            }
            unset($this->array[$key]);
        } while ($loop);
        return $this;
    }

    public function clear(): self
    {
        $this->array = [];
        return $this;
    }

    /**
     * @return mixed the value itself
     * @throws ArrayKeyNotExists
     */
    #[\ReturnTypeWillChange]
    public function offsetGet(mixed $key)
    {
        $this->require($key);
        return $this->array[$key];
    }

    public function offsetSet(mixed $key, mixed $value): void
    {
        if ($key === null) {
            $this->array[] = $value;
        } else {
            $this->array[$key] = $value;
        }
    }

    public function offsetUnset(mixed $key): void
    {
        unset($this->array[$key]);
    }

    /** @return bool */
    #[\ReturnTypeWillChange]
    public function offsetExists(mixed $key)
    {
        return isset($this->array[$key]);
    }

    /** Whether there is this key, also with a value of null. */
    public function exists(mixed $key): bool
    {
        return array_key_exists($key, $this->array);
    }

    // ---- looking for values ------------------------------------------------------------------------

    public function contains(mixed $value, bool $strict = true): bool
    {
        return in_array($value, $this->array, $strict);
    }

    /** @return int|string|false the first key of the value */
    public function indexOf(mixed $value, bool $strict = true)
    {
        return array_search($value, $this->array, $strict);
    }

    /** @return int|string|false the last key of the value */
    public function lastIndexOf(mixed $value, bool $strict = true)
    {
        return array_search($value, array_reverse($this->array, true), $strict);
    }

    /** @return int|string|StringObject|false the first key of the value */
    public function search(mixed $needle, bool $strict = true)
    {
        return static::detectType(array_search($needle, $this->array, $strict));
    }

    public function join(string $glue = ''): StringObject
    {
        return static::detectStringType(implode($glue, $this->array));
    }

    public function serialize(): string
    {
        return serialize($this->array);
    }

    /** @param string|Stringable|StringObject $string of an array */
    public function unserialize(string|Stringable|StringObject $string): self
    {
        $array = unserialize((string) $string);
        if (!is_array($array)) {
            throw new RuntimeException('the text holds no serialized array');
        }
        $this->array = $array;
        return $this;
    }

    /** @return float|int */
    public function sum()
    {
        return array_sum($this->array);
    }

    /** @return float|int */
    public function product()
    {
        return array_product($this->array);
    }

    // ---- ends of the list ---------------------------------------------------------------------------

    /** @return int the number of values after that */
    public function push(mixed $value)
    {
        return $this->pushBack($value);
    }

    /** @return int the number of values after that */
    public function pushFront(mixed $value)
    {
        return array_unshift($this->array, $value);
    }

    public function append(mixed ...$values): ArrayObject
    {
        array_push($this->array, ...$values);
        return $this;
    }

    /** @return int the number of values after that */
    public function pushBack(mixed $value)
    {
        return array_push($this->array, $value);
    }

    /** Puts a value (also an array or object, as one) at this place; what follows goes on by one. */
    public function insert(int $offset, mixed $value): self
    {
        array_splice($this->array, $offset, 0, [$value]);
        return $this;
    }

    /** @return ArrayObject|StringObject|mixed the last value, which is taken out */
    public function pop()
    {
        return static::detectType(array_pop($this->array));
    }

    /** @return ArrayObject|StringObject|mixed the first value, which is taken out */
    public function popFront()
    {
        return static::detectType(array_shift($this->array));
    }

    /** @return ArrayObject|StringObject|mixed the last value, which is taken out */
    public function popBack()
    {
        return static::detectType(array_pop($this->array));
    }

    // ---- new arrays of it ----------------------------------------------------------------------------

    public function slice(int $offset, ?int $length = null, bool $preserve_keys = false): static
    {
        return new static(array_slice($this->array, $offset, $length, $preserve_keys));
    }

    /** @return ArrayObject|StringObject|mixed one value at random, null when it is empty */
    public function randomGet()
    {
        return $this->array === [] ? null : static::detectType($this->array[array_rand($this->array)]);
    }

    /** @param callable $fn as of array_walk(): it gets the value, by reference when it asks for it, and the key */
    public function each(callable $fn): self
    {
        array_walk($this->array, $fn);
        return $this;
    }

    /** @param array<mixed> ...$args further arrays, as of array_map() */
    public function map(callable $fn, array ...$args): static
    {
        return new static(array_map($fn, $this->array, ...$args));
    }

    /** @return mixed */
    public function reduce(callable $fn, mixed $initial = null)
    {
        return array_reduce($this->array, $fn, $initial);
    }

    /** @param mixed ...$args as of array_keys(): the value that is looked for, and whether types must be the same */
    public function keys(mixed ...$args): static
    {
        return new static(array_keys($this->array, ...$args));
    }

    public function values(): static
    {
        return new static(array_values($this->array));
    }

    public function column(mixed $column_key, mixed $index = null): static
    {
        return new static(array_column($this->array, $column_key, $index));
    }

    public function unique(int $sort_flags = SORT_STRING): static
    {
        return new static(array_unique($this->array, $sort_flags));
    }

    public function reverse(bool $preserve_keys = false): static
    {
        return new static(array_reverse($this->array, $preserve_keys));
    }

    public function chunk(int $size, bool $preserve_keys = false): static
    {
        return new static(array_chunk($this->array, $size, $preserve_keys));
    }

    public function flip(): static
    {
        return new static(array_flip($this->array));
    }

    public function filter(callable $fn, int $flag = 0): static
    {
        return new static(array_filter($this->array, $fn, $flag));
    }

    // ---- sorting ---------------------------------------------------------------------------------------

    public function asort(int $sort_flags = SORT_REGULAR): self
    {
        asort($this->array, $sort_flags);
        return $this;
    }

    public function arsort(int $sort_flags = SORT_REGULAR): self
    {
        arsort($this->array, $sort_flags);
        return $this;
    }

    public function krsort(int $sort_flags = SORT_REGULAR): self
    {
        krsort($this->array, $sort_flags);
        return $this;
    }

    public function ksort(int $sort_flags = SORT_REGULAR): self
    {
        ksort($this->array, $sort_flags);
        return $this;
    }

    public function natcasesort(): self
    {
        natcasesort($this->array);
        return $this;
    }

    public function natsort(): self
    {
        natsort($this->array);
        return $this;
    }

    public function rsort(int $sort_flags = SORT_REGULAR): self
    {
        rsort($this->array, $sort_flags);
        return $this;
    }

    public function shuffle(): self
    {
        shuffle($this->array);
        return $this;
    }

    public function sort(int $sort_flags = SORT_REGULAR): self
    {
        sort($this->array, $sort_flags);
        return $this;
    }

    public function uasort(callable $value_compare_func): self
    {
        uasort($this->array, $value_compare_func);
        return $this;
    }

    public function uksort(callable $value_compare_func): self
    {
        uksort($this->array, $value_compare_func);
        return $this;
    }

    public function usort(callable $value_compare_func): self
    {
        usort($this->array, $value_compare_func);
        return $this;
    }

    // ---- objects for what comes out ----------------------------------------------------------------------

    /** @return ArrayObject|StringObject|mixed */
    protected static function detectType(mixed $value)
    {
        return match (true) {
            is_string($value) => static::detectStringType($value),
            is_array($value) => static::detectArrayType($value),
            default => $value,
        };
    }

    protected static function detectStringType(string $value): StringObject
    {
        return new StringObject($value);
    }

    /** @param array<mixed> $value */
    protected static function detectArrayType(array $value): static
    {
        return new static($value);
    }

    private function require(mixed $key): void
    {
        if (!array_key_exists($key, $this->array)) {
            throw new ArrayKeyNotExists("the array has no key '{$key}'");
        }
    }
}
