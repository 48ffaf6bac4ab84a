<?php

declare(strict_types=1);

interface Cache
{
    /** @return array{id: int, name: string, price: float}|null */
    public function get(string $key): ?array;

    /** @param array{id: int, name: string, price: float} $item */
    public function set(string $key, array $item): void;

    /**
     * So many reads, over all hundred keys in turn. Each way has the loop in itself, as an application has that reads one kind of cache.
     *
     * @param list<string> $keys
     */
    public function sum(array $keys, int $reads): int;
}

/** A table in memory that all workers share. */
final class SharedCache implements Cache
{
    public function __construct(private readonly Swoole\Table $table)
    {
    }

    public function get(string $key): ?array
    {
        return $this->table->get($key) ?: null;
    }

    public function set(string $key, array $item): void
    {
        $this->table->set($key, $item);
    }

    public function sum(array $keys, int $reads): int
    {
        $table = $this->table;
        $sum = 0;
        for ($i = 0, $rounds = $reads / 100; $i < $rounds; $i++) {
            foreach ($keys as $key) {
                $sum += $table->get($key)['id'];
            }
        }
        return $sum;
    }
}

/** What a worker keeps of an entry: an object, because a typed property is found without a look-up by its name. */
final class Item
{
    public function __construct(public readonly int $id, public readonly string $name, public readonly float $price)
    {
    }
}

/** The same table, of which each worker keeps a copy of what it has read, as long as nothing was changed. */
final class CopiedCache implements Cache
{
    /** @var array<string, Item> */
    private array $copy = [];
    private int $version = 0;

    public function __construct(private readonly Swoole\Table $table, private readonly Swoole\Atomic $changes)
    {
    }

    public function get(string $key): ?array
    {
        $this->forgetWhatChanged();
        $item = $this->copy[$key] ?? $this->copied($key);
        return $item === null ? null : ['id' => $item->id, 'name' => $item->name, 'price' => $item->price];
    }

    public function set(string $key, array $item): void
    {
        $this->table->set($key, $item);
        $this->changes->add();
    }

    public function sum(array $keys, int $reads): int
    {
        $this->forgetWhatChanged();
        $sum = 0;
        for ($i = 0, $rounds = $reads / 100; $i < $rounds; $i++) {
            foreach ($keys as $key) {
                $sum += ($this->copy[$key] ?? $this->copied($key))->id;
            }
        }
        return $sum;
    }

    private function forgetWhatChanged(): void
    {
        $version = $this->changes->get();
        if ($version !== $this->version) {
            $this->copy = [];
            $this->version = $version;
        }
    }

    private function copied(string $key): ?Item
    {
        $item = $this->table->get($key);
        return $item === false ? null : $this->copy[$key] = new Item(...$item);
    }
}
