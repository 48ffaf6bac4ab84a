<?php

/** @generate-class-entries */

namespace Swoole;

/**
 * Rows by key in memory that processes share: columns are declared, create() makes it, then processes are forked and all use
 * it. Every call is one atomic step, also when another process is killed in the middle of one.
 */
class Table implements \Iterator, \Countable
{
    /** @var int */
    public const TYPE_INT = 1;

    /** @var int */
    public const TYPE_STRING = 3;

    /** @var int */
    public const TYPE_FLOAT = 2;

    /** Rows it was made for, a power of two; null before create(). */
    public ?int $size = null;

    /** Bytes of its memory; null before create(). */
    public ?int $memorySize = null;

    /** $conflict_proportion: further room for keys that collide, as a part of $table_size (at least one half). */
    public function __construct(int $table_size, float $conflict_proportion = 0.2) {}

    /** Declares a column before create(). $size: bytes of a string, needed there. */
    public function column(string $name, int $type, int $size = 0): bool {}

    public function create(): bool {}

    /** Gives this process's view of it back; the rows live on in others. */
    public function destroy(): bool {}

    /**
     * Writes the named columns of a row and makes the row when it is missing, the others being 0 and "". False with a warning
     * when the key is empty or longer than 63 bytes, when a string is longer than its column, when the table is full.
     */
    public function set(string $key, array $value): bool {}

    /** As set(), but false when there is such a row already. */
    public function add(string $key, array $values): bool {}

    /** As set(), but false when there is no such row. */
    public function update(string $key, array $values): bool {}

    /** As set(), when the columns of the row have the expected values; otherwise false. */
    public function cmpset(string $key, array $expected, array $values): bool {}

    /** A row, or one field of it; false when there is none. */
    public function get(string $key, ?string $field = null): array|string|int|float|false {}

    /** As get(), and removes the row in the same step. */
    public function getdel(string $key, ?string $field = null): array|string|int|float|false {}

    public function count(): int {}

    public function del(string $key): bool {}

    /** @implementation-alias Swoole\Table::del */
    public function delete(string $key): bool {}

    /** Removes the row when its columns have the expected values; otherwise false. */
    public function cmpdel(string $key, array $expected): bool {}

    public function exists(string $key): bool {}

    /** @implementation-alias Swoole\Table::exists */
    public function exist(string $key): bool {}

    /** Adds to a column of numbers and returns the new value; a missing row is made. False with a warning for a string. */
    public function incr(string $key, string $column, int|float $incrby = 1): int|float|false {}

    public function decr(string $key, string $column, int|float $incrby = 1): int|float|false {}

    public function getSize(): int {}

    public function getMemorySize(): int {}

    /** num, conflict_count, conflict_max_level, insert_count, update_count, delete_count, available_slice_num, total_slice_num. */
    public function stats(): array|false {}

    /** Iteration by place: every row that stays during it is seen once; others may come and go. */
    public function rewind(): void {}

    public function valid(): bool {}

    public function next(): void {}

    public function current(): mixed {}

    public function key(): mixed {}
}
