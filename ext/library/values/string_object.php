<?php

declare(strict_types=1);

namespace Swoole;

use Stringable;

/** A text with methods: those that change it give a new object. Offsets and lengths are bytes. */
class StringObject implements Stringable
{
    public function __construct(protected string $string = '') {}

    public function __toString(): string
    {
        return $this->string;
    }

    public static function from(string $string = ''): static
    {
        return new static($string);
    }

    public function length(): int
    {
        return strlen($this->string);
    }

    public function indexOf(string $needle, int $offset = 0): false|int
    {
        return strpos($this->string, $needle, $offset);
    }

    public function lastIndexOf(string $needle, int $offset = 0): false|int
    {
        return strrpos($this->string, $needle, $offset);
    }

    public function pos(string $needle, int $offset = 0): false|int
    {
        return strpos($this->string, $needle, $offset);
    }

    public function rpos(string $needle, int $offset = 0): false|int
    {
        return strrpos($this->string, $needle, $offset);
    }

    public function reverse(): static
    {
        return new static(strrev($this->string));
    }

    /** @return false|int the place of the needle in any letter case */
    public function ipos(string $needle)
    {
        return stripos($this->string, $needle);
    }

    public function lower(): static
    {
        return new static(strtolower($this->string));
    }

    public function upper(): static
    {
        return new static(strtoupper($this->string));
    }

    /** @param string $characters to remove at both ends; empty: white space and null bytes */
    public function trim(string $characters = ''): static
    {
        return new static($characters === '' ? trim($this->string) : trim($this->string, $characters));
    }

    public function ltrim(): self
    {
        return new static(ltrim($this->string));
    }

    public function rtrim(): self
    {
        return new static(rtrim($this->string));
    }

    /** @return static */
    public function substr(int $offset, ?int $length = null)
    {
        return new static(substr($this->string, $offset, $length));
    }

    public function repeat(int $times): static
    {
        return new static(str_repeat($this->string, $times));
    }

    /** @param mixed $str a text, or what can be made one */
    public function append(mixed $str): static
    {
        return new static($this->string . (string) $str);
    }

    /** @param int|null $count of the replacements that were made */
    public function replace(string $search, string $replace, mixed &$count = null): static
    {
        return new static(str_replace($search, $replace, $this->string, $count));
    }

    public function startsWith(string $needle): bool
    {
        return str_starts_with($this->string, $needle);
    }

    public function endsWith(string $needle): bool
    {
        return str_ends_with($this->string, $needle);
    }

    /** Compares with a text or another object of this class; $strict: as === does, otherwise as == does. */
    public function equals(mixed $str, bool $strict = false): bool
    {
        if ($str instanceof self) {
            $str = $str->string;
        }
        return $strict ? $this->string === $str : $this->string == $str;
    }

    public function contains(string $subString): bool
    {
        return str_contains($this->string, $subString);
    }

    public function split(string $delimiter, int $limit = PHP_INT_MAX): ArrayObject
    {
        return static::detectArrayType(explode($delimiter, $this->string, $limit));
    }

    /** One character, empty when there is none at this place. */
    public function char(int $index): string
    {
        return $this->string[$index] ?? '';
    }

    public function chunkSplit(int $length = 76, string $separator = "\r\n"): static
    {
        return new static(chunk_split($this->string, $length, $separator));
    }

    /** Pieces of this length; the last one may be shorter. */
    public function chunk(int $length = 1): ArrayObject
    {
        return static::detectArrayType(str_split($this->string, $length));
    }

    public function toString(): string
    {
        return $this->string;
    }

    /** @param array<mixed> $value */
    protected static function detectArrayType(array $value): ArrayObject
    {
        return new ArrayObject($value);
    }
}
