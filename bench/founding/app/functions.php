<?php

declare(strict_types=1);

/* What the tests do on both sides. */

/** Names of the cache's entries. @return list<string> */
function keys(): array
{
    return array_map(static fn (int $id): string => "item:$id", range(1, 100));
}

/** Loads a hundred classes by Composer's autoloader; where they are loaded already that is only seen. */
function load_classes(): int
{
    $loaded = 0;
    foreach (require __DIR__ . '/classes.php' as $class) {
        $loaded += (int) class_exists($class);
    }
    return $loaded;
}

/** Where files are written: on the disk, or in memory where the address asks for that. @param array<string, string> $wanted */
function files_folder(array $wanted): string
{
    return (string) getenv(($wanted['in'] ?? 'disk') === 'memory' ? 'BENCH_MEMORY' : 'BENCH_FILES');
}

/** Writes so many files and reads them again, and removes them. */
function write_and_read(string $folder, int $count): int
{
    $bytes = 0;
    $text = str_repeat('0123456789abcdef', 64);
    $prefix = "$folder/" . bin2hex(random_bytes(8));
    for ($i = 0; $i < $count; $i++) {
        file_put_contents("$prefix-$i", $text);
    }
    for ($i = 0; $i < $count; $i++) {
        $bytes += strlen((string) file_get_contents("$prefix-$i"));
        unlink("$prefix-$i");
    }
    return $bytes;
}

/** One row by its key. @return array{id: int, name: string, price: float} */
function item(mysqli|Swoole\Database\MysqliProxy $database, int $id): array
{
    $row = $database->query("SELECT id, name, price FROM items WHERE id = $id")->fetch_assoc();
    return ['id' => (int) $row['id'], 'name' => $row['name'], 'price' => (float) $row['price']];
}

function line(string|int|float ...$words): string
{
    return implode(' ', $words) . "\n";
}
